// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import java.time.Clock;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * The clocks, threads and randomness of an elector.
 *
 * @param scheduler the monotonic clock for all decisions
 * @param clock the wall clock for the times in the Lease, which are only informational
 * @param threads the factory for the elector's only thread
 * @param random the source of the jitter of retries and of the suffixes of identities; must be
 *     thread-safe
 */
public record ElectionEnvironment(
    Scheduler scheduler, Clock clock, ThreadFactory threads, RandomGenerator random) {}
