// SPDX-License-Identifier: Apache-2.0
/**
 * Installs a program's CRDs before its controllers start, with or without the command line.
 *
 * <p>The package reads the CRDs from the class path, where the CRD generator writes them, and
 * applies them to the API server. When an installation is complete, the server serves each version
 * of each CRD. The calling thread applies the CRDs and waits. Start with {@link
 * dev.windlass.crd.CrdInstallation}.
 */
@NullMarked
package dev.windlass.crd;

import org.jspecify.annotations.NullMarked;
