// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.time.Scheduler;
import java.time.Clock;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/**
 * What an elector needs of its surroundings.
 *
 * @param scheduler all that decides is measured by it
 * @param clock the times that people read in the Lease
 * @param threads makes the one thread
 * @param random spreads retries, and makes identities differ; must be thread safe
 */
public record Surroundings(
    Scheduler scheduler, Clock clock, ThreadFactory threads, RandomGenerator random) {}
