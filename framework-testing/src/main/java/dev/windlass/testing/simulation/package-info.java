// SPDX-License-Identifier: Apache-2.0
/**
 * Runs whole operators on one thread and in virtual time, against an embedded API server in the
 * same process. Code runs only when the test runs a step, and the same seed always results in the
 * same steps.
 *
 * <p>The operators use the real manager, informers, work queues and workers. Their threads are
 * never started. Instead, {@link dev.windlass.testing.simulation.Simulation} runs the iterations of
 * their loops. Start with {@code Simulation}.
 */
@NullMarked
package dev.windlass.testing.simulation;

import org.jspecify.annotations.NullMarked;
