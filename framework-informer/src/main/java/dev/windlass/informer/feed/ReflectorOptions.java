// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Options of a {@link Reflector}.
 *
 * @param scheduler the clock
 * @param random spreads delays and time-outs
 * @param listener receives notifications from the reflector
 * @param auditPeriod how often the cache is compared with the server; zero for never
 * @param watchTimeout the minimum time after which the server is asked to end a watch
 */
public record ReflectorOptions(
    Scheduler scheduler,
    RandomGenerator random,
    FeedListener listener,
    Duration auditPeriod,
    Duration watchTimeout) {}
