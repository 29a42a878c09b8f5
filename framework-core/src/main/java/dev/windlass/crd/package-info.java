// SPDX-License-Identifier: Apache-2.0
/**
 * Installs the CRDs of a program before its controllers start.
 *
 * <p>The CRDs come from the class path, where the CRD generator writes them. They leave as objects
 * on the API server. When an installation returns, the server serves each version of each CRD. The
 * calling thread applies the CRDs and waits. Read {@link dev.windlass.crd.CrdInstallation} first.
 */
@NullMarked
package dev.windlass.crd;

import org.jspecify.annotations.NullMarked;
