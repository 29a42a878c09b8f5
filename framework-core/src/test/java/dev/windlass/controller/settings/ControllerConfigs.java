// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.client.Client;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.leader.Fence;
import dev.windlass.manager.Phase;
import dev.windlass.object.CachedObject;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Makes what a builder would make. */
public final class ControllerConfigs {

  /** The requirement of a controller without leader election. */
  private static final LeadershipRequirement ALONE =
      new LeadershipRequirement(Phase.LEADER, Fence.OPEN, true);

  private static final ObjectLookup NO_OBJECTS =
      new ObjectLookup() {
        @Override
        public Optional<? extends CachedObject<?>> primary(Request request) {
          return Optional.empty();
        }

        @Override
        public Optional<? extends CachedObject<?>> behind(Object reason) {
          return Optional.empty();
        }
      };

  private static final ObjectAccess NO_ACCESS =
      new ObjectAccess() {
        @Override
        public Client client(Request request) {
          throw new IllegalStateException("this context has no client");
        }

        @Override
        public <S extends HasMetadata> List<S> secondaries(Class<S> type, Request request) {
          throw new IllegalStateException("this context has no caches");
        }
      };

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
        ALONE,
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
        NO_OBJECTS,
        null,
        NO_ACCESS,
        leading,
        onFailure,
        time,
        threads,
        random);
  }

  public static ControllerConfig withLookup(ControllerConfig config, ObjectLookup lookup) {
    return new ControllerConfig(
        config.name(),
        config.kind(),
        config.sources(),
        config.reconciler(),
        config.options(),
        config.queue(),
        config.listener(),
        lookup,
        config.accepts(),
        config.access(),
        config.leading(),
        config.onFailure(),
        config.scheduler(),
        config.threads(),
        config.random());
  }
}
