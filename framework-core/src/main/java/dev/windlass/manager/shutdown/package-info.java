// SPDX-License-Identifier: Apache-2.0
/**
 * Internal: requests a manager's shutdown, and stops the manager's components within one deadline.
 *
 * <p>A {@link dev.windlass.manager.shutdown.StopRequest} records that a signal ({@link
 * dev.windlass.manager.shutdown.ShutdownSignals}), the program or a fatal failure has requested
 * shutdown. {@link dev.windlass.manager.shutdown.StopSequence} then stops the components one after
 * another. A component that hangs or throws an exception does not prevent the others from stopping.
 * The code runs on the thread that runs the manager, and on the JVM's signal threads.
 */
@NullMarked
package dev.windlass.manager.shutdown;

import org.jspecify.annotations.NullMarked;
