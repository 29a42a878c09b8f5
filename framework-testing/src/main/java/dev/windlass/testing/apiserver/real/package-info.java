// SPDX-License-Identifier: Apache-2.0
/**
 * A real kube-apiserver, with its etcd and, if asked for, a controller manager, as child processes
 * of a test.
 *
 * <p>In come the programs that {@code KUBEBUILDER_ASSETS} holds and the options of {@link
 * dev.windlass.testing.apiserver.real.RealApiServer.Builder}; out comes a running {@link
 * dev.windlass.testing.apiserver.real.RealApiServer} with administrator credentials. Invariant:
 * what was started here ends with {@code close()}, with the JVM, or, when the JVM was killed,
 * through {@link dev.windlass.testing.apiserver.real.Watchdog}. All work runs on the caller's
 * thread. Read {@link dev.windlass.testing.apiserver.real.ControlPlane} next.
 */
@NullMarked
package dev.windlass.testing.apiserver.real;

import org.jspecify.annotations.NullMarked;
