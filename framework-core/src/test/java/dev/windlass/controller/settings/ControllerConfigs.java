// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.client.Client;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
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

/** What a builder would make, unless a test changes it. */
public final class ControllerConfigs {

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

  public String name = "foo";
  public List<Source> sources = List.of();
  public Reconciler reconciler = (request, context) -> Result.done();
  public ControllerOptions options = ControllerOptions.defaults();
  public ControllerListener listener = ControllerListener.NONE;
  public ObjectLookup objects = NO_OBJECTS;
  public Consumer<Throwable> onFailure = failure -> {};
  public ThreadFactory threads = Thread::new;

  /** That of a controller without leader election. */
  public LeadershipRequirement leading = new LeadershipRequirement(Phase.LEADER, Fence.OPEN, true);

  public RandomGenerator random = new Random(1);

  private ControllerConfigs() {}

  public static ControllerConfig config(Scheduler time, Consumer<ControllerConfigs> changes) {
    ControllerConfigs made = new ControllerConfigs();
    changes.accept(made);
    return new ControllerConfig(
        made.name,
        "Foo",
        made.sources,
        made.reconciler,
        made.options,
        WorkQueueOptions.<Request>named(made.name).withScheduler(time),
        made.listener,
        made.objects,
        null,
        NO_ACCESS,
        made.leading,
        made.onFailure,
        time,
        made.threads,
        made.random);
  }
}
