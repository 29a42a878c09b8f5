// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.WorkQueueOptions;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

/** What a {@link ControllerBuilder} has found out, frozen. */
record ControllerConfig(
    String name,
    String kind,
    List<Source> sources,
    Reconciler reconciler,
    int maxConcurrentReconciles,
    WorkQueueOptions<Request> queue,
    ControllerListener listener,
    Scheduler scheduler,
    ThreadFactory threads,
    RandomGenerator random) {}
