// SPDX-License-Identifier: Apache-2.0
/**
 * A real kube-apiserver, with its etcd and, on request, a controller manager, as child processes of
 * a test.
 *
 * <p>The package starts the programs in {@code KUBEBUILDER_ASSETS} with the options of {@link
 * dev.windlass.testing.apiserver.real.RealApiServer.Builder}. The result is a running {@link
 * dev.windlass.testing.apiserver.real.RealApiServer} with administrator credentials. {@code
 * close()} or the exit of the JVM stops all processes. If the JVM is killed, the {@code
 * ProcessWatchdog} stops them. All work runs on the caller's thread.
 *
 * <p>The subpackage {@code processes} runs the programs. The subpackage {@code access} issues the
 * certificates of the server and its users.
 */
@NullMarked
package dev.windlass.testing.apiserver.real;

import org.jspecify.annotations.NullMarked;
