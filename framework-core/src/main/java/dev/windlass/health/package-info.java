// SPDX-License-Identifier: Apache-2.0
/**
 * The health checks that a program writes. Implement {@link dev.windlass.health.HealthCheck}, and
 * add it to a manager with {@code Manager.addHealthCheck} or {@code Manager.addReadyCheck}.
 *
 * <p>A check throws an exception whose message states the problem, or returns normally if there is
 * no problem. Any thread can call a check, at any time. A check that takes too long counts as
 * failed and does not affect other checks. Next, read {@code dev.windlass.health.checks}, which
 * calls the checks, and {@code dev.windlass.diagnosis}.
 */
@NullMarked
package dev.windlass.health;

import org.jspecify.annotations.NullMarked;
