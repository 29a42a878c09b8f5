// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.WorkQueueListener;
import dev.windlass.workqueue.WorkQueueOptions;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Makes what a builder would make. */
final class Controllers {

  private Controllers() {}

  static ControllerConfig config(
      String name,
      List<Source> sources,
      Reconciler reconciler,
      ControllerOptions options,
      ControllerListener listener,
      Consumer<Throwable> onFailure,
      Scheduler time,
      ThreadFactory threads) {
    return config(
        name,
        sources,
        reconciler,
        options,
        listener,
        onFailure,
        time,
        threads,
        Leading.ALONE,
        new Random(1));
  }

  static ControllerConfig config(
      String name,
      List<Source> sources,
      Reconciler reconciler,
      ControllerOptions options,
      ControllerListener listener,
      Consumer<Throwable> onFailure,
      Scheduler time,
      ThreadFactory threads,
      Leading leading,
      RandomGenerator random) {
    return new ControllerConfig(
        name,
        "Foo",
        sources,
        reconciler,
        options,
        WorkQueueOptions.<Request>named(name).withScheduler(time),
        new ControllerMetrics(Optional.empty(), listener, WorkQueueListener.NONE),
        ObjectStates.NONE,
        ReconcileTools.NONE,
        leading,
        onFailure,
        time,
        threads,
        random);
  }
}
