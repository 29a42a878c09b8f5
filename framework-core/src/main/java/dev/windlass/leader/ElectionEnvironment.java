// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import java.time.Clock;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * The clocks, the threads and the source of randomness that a {@link LeaderElector} uses.
 *
 * @param scheduler the monotonic clock for all decisions
 * @param clock the wall clock for the times in the Lease, which are only informational
 * @param threads the factory of the elector's single thread
 * @param random the random number generator for the jitter of retries and for the suffixes of
 *     identities; must be thread-safe
 */
public record ElectionEnvironment(
    Scheduler scheduler, Clock clock, ThreadFactory threads, RandomGenerator random) {}
