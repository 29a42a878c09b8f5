// SPDX-License-Identifier: Apache-2.0
/**
 * A real API server for tests. The package runs etcd, kube-apiserver and, on request,
 * kube-controller-manager as child processes of the test.
 *
 * <p>It starts the programs of setup-envtest with the options of {@link
 * dev.windlass.testing.apiserver.real.RealApiServer.Builder}. The result is a running {@link
 * dev.windlass.testing.apiserver.real.RealApiServer} with administrator credentials. The processes
 * end when {@code close()} is called or the JVM exits. If the JVM is killed, the {@code
 * ProcessWatchdog} kills them. All work runs on the caller's thread.
 *
 * <p>The subpackage {@code processes} runs the programs. The subpackage {@code access} issues the
 * certificates of the server and its users.
 */
@NullMarked
package dev.windlass.testing.apiserver.real;

import org.jspecify.annotations.NullMarked;
