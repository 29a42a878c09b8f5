// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.time.Scheduler;
import java.time.Clock;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * The clocks, threads and randomness of an elector.
 *
 * @param scheduler measures the time for all decisions
 * @param clock supplies the times in the Lease, which are informational
 * @param threads creates the elector's only thread
 * @param random supplies the jitter of retries and the suffixes of identities; must be thread safe
 */
public record ElectionEnvironment(
    Scheduler scheduler, Clock clock, ThreadFactory threads, RandomGenerator random) {}
