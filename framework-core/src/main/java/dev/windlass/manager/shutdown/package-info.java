// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: how a manager is asked to stop, and how it stops its components within one deadline.
 *
 * <p>In: signals ({@link dev.windlass.manager.shutdown.ShutdownSignals}), calls of the program and
 * fatal failures, which make a {@link dev.windlass.manager.shutdown.StopRequest}. Out: stops, one
 * after another ({@link dev.windlass.manager.shutdown.StopSequence}). Invariant: a component that
 * hangs or throws does not keep the others from stopping. Threads: the one that runs the manager,
 * and the JVM's signal threads.
 */
@NullMarked
package dev.windlass.manager.shutdown;

import org.jspecify.annotations.NullMarked;
