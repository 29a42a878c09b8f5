// SPDX-License-Identifier: Apache-2.0
/**
 * A real kube-apiserver, with its etcd and, on request, a controller manager, as child processes of
 * a test.
 *
 * <p>The package starts the programs in {@code KUBEBUILDER_ASSETS} with the options of {@link
 * dev.windlass.testing.apiserver.real.RealApiServer.Builder}. The result is a running {@link
 * dev.windlass.testing.apiserver.real.RealApiServer} with administrator credentials. All processes
 * are stopped by {@code close()}, by the JVM's exit, or, if the JVM is killed, by the {@code
 * ProcessWatchdog}. All work runs on the caller's thread.
 *
 * <p>Next: {@code processes}, which runs the programs, and {@code access}, which issues the
 * certificates of the server and its users.
 */
@NullMarked
package dev.windlass.testing.apiserver.real;

import org.jspecify.annotations.NullMarked;
