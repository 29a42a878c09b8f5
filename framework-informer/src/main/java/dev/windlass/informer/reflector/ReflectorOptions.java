// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The options of a {@link Reflector}.
 *
 * @param scheduler the clock
 * @param random the source of randomness that spreads delays and time-outs
 * @param listener the listener that receives notifications from the reflector
 * @param auditPeriod the period after which the reflector compares the cache with the server; zero
 *     disables audits
 * @param watchTimeout the minimum time after which the server ends a watch
 */
public record ReflectorOptions(
    Scheduler scheduler,
    RandomGenerator random,
    FeedListener listener,
    Duration auditPeriod,
    Duration watchTimeout) {}
