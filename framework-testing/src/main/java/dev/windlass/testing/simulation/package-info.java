// SPDX-License-Identifier: Apache-2.0
/**
 * Runs complete operators on one thread and in virtual time, against an embedded API server in the
 * same process. The operators run only when the test runs a step. The same seed always results in
 * the same sequence of steps.
 *
 * <p>The operators use the real manager, informers, work queues and workers, but no threads of
 * their own. Instead, {@link dev.windlass.testing.simulation.Simulation} runs the iterations of
 * their loops. Start with {@code Simulation}.
 */
@NullMarked
package dev.windlass.testing.simulation;

import org.jspecify.annotations.NullMarked;
