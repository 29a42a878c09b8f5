// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * What a {@link Reflector} needs of its surroundings.
 *
 * @param scheduler the clock
 * @param random spreads delays and time-outs
 * @param listener hears what it does
 * @param auditPeriod how often the cache is compared with the server; zero for never
 * @param watchTimeout after which the server is asked to end a watch, at least
 */
public record ReflectorOptions(
    Scheduler scheduler,
    RandomGenerator random,
    FeedListener listener,
    Duration auditPeriod,
    Duration watchTimeout) {}
