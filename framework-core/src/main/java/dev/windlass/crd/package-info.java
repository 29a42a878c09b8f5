// SPDX-License-Identifier: Apache-2.0
/**
 * Installs a program's CRDs before its controllers start.
 *
 * <p>The input is CRDs from the class path, where the CRD generator writes them. The output is
 * objects on the API server. When an installation returns, the server serves each version of each
 * CRD. The calling thread applies the CRDs and waits. Read {@link dev.windlass.crd.CrdInstallation}
 * first.
 */
@NullMarked
package dev.windlass.crd;

import org.jspecify.annotations.NullMarked;
