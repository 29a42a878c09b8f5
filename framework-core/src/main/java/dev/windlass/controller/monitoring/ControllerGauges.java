// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.monitoring;

import dev.windlass.controller.reconcile.RunningReconcile;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * Supplies the values of a controller's gauges. Each scrape of the metrics calls the suppliers. Any
 * thread can call them.
 *
 * @param name the controller's name
 * @param maxConcurrentReconciles the maximum number of concurrent reconciles
 * @param ready returns whether the workers are running
 * @param running returns the running reconciles
 * @param queueLength returns the number of requests that are ready and waiting for a worker
 * @param queueLengths returns the number of ready requests for each priority
 * @param delayed returns the number of requests that are waiting for a delay or back-off to end
 * @param longestWait returns how long the oldest ready request has been waiting
 * @param failing returns the number of objects whose last reconcile failed
 * @param longestFailing returns how long the longest-failing object has been failing
 */
public record ControllerGauges(
    String name,
    int maxConcurrentReconciles,
    BooleanSupplier ready,
    Supplier<List<RunningReconcile>> running,
    IntSupplier queueLength,
    Supplier<Map<Priority, Integer>> queueLengths,
    IntSupplier delayed,
    Supplier<Duration> longestWait,
    IntSupplier failing,
    Supplier<Duration> longestFailing) {}
