// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.loopdetection.ObjectLookup;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.WorkQueueOptions;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Makes what a builder would make. */
public final class ControllerConfigs {

  private ControllerConfigs() {}

  public static ControllerConfig config(
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
        LeadershipRequirement.ALONE,
        new Random(1));
  }

  public static ControllerConfig config(
      String name,
      List<Source> sources,
      Reconciler reconciler,
      ControllerOptions options,
      ControllerListener listener,
      Consumer<Throwable> onFailure,
      Scheduler time,
      ThreadFactory threads,
      LeadershipRequirement leading,
      RandomGenerator random) {
    return new ControllerConfig(
        name,
        "Foo",
        sources,
        reconciler,
        options,
        WorkQueueOptions.<Request>named(name).withScheduler(time),
        listener,
        ObjectLookup.NONE,
        null,
        ObjectAccess.NONE,
        leading,
        onFailure,
        time,
        threads,
        random);
  }
}
