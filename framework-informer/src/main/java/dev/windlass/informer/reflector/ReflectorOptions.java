// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The options of a {@link Reflector}.
 *
 * @param scheduler the clock
 * @param random the source of the jitter in delays and time-outs
 * @param listener the listener to notify of the reflector's activity
 * @param auditPeriod the interval between audits, which compare the cache with the server; zero
 *     disables audits
 * @param watchTimeout the minimum duration that the reflector requests for a watch
 */
public record ReflectorOptions(
    Scheduler scheduler,
    RandomGenerator random,
    FeedListener listener,
    Duration auditPeriod,
    Duration watchTimeout) {}
