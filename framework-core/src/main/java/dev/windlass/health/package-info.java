// SPDX-License-Identifier: Apache-2.0
/**
 * The health checks that a program writes: implement {@link dev.windlass.health.HealthCheck}, and
 * add it to a manager with {@code Manager.addHealthCheck} or {@code Manager.addReadyCheck}.
 *
 * <p>In: nothing. Out: an exception whose message names the problem, or nothing if all is well.
 * Contract: a check may be called at any time, by any thread; one that takes too long counts as
 * failed, and affects no other check. Next: {@code dev.windlass.health.checks}, which calls the
 * checks, and {@code dev.windlass.diagnosis}.
 */
@NullMarked
package dev.windlass.health;

import org.jspecify.annotations.NullMarked;
