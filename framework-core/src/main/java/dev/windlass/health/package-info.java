// SPDX-License-Identifier: Apache-2.0
/**
 * A program's own health checks. To add a check, implement {@link dev.windlass.health.HealthCheck},
 * and pass it to {@code Manager.addHealthCheck} or {@code Manager.addReadyCheck}.
 *
 * <p>A check throws an exception whose message states the problem, or returns normally if there is
 * no problem. Any thread can call a check, at any time. A check that takes too long counts as
 * failed and does not affect other checks. Next, read {@code dev.windlass.health.checks}, which
 * calls the checks, and {@code dev.windlass.diagnosis}.
 */
@NullMarked
package dev.windlass.health;

import org.jspecify.annotations.NullMarked;
