// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.LeadershipRequirement;
import dev.windlass.leader.Fence;
import dev.windlass.manager.Phase;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;

/** A worker whose reconciler does what the test says, on the thread of the test. */
abstract class WorkerHarness {

  static final Request FOO = Request.of("default", "example-foo");
  static final Duration TEN = Duration.ofSeconds(10);

  record Heard(Request request, Outcome outcome, Duration took) {}

  final ManualScheduler time = new ManualScheduler();
  final List<Heard> heard = new ArrayList<>();
  final List<Throwable> failures = new ArrayList<>();
  final List<Integer> attempts = new ArrayList<>();
  Reconciler reconciler = (request, context) -> Result.done();
  volatile boolean open = true;
  Runnable beforeTheBegin = () -> {};
  private final Fence fence = new TestFence();
  private final RandomGenerator random = new Ids();
  ControllerRun run = run(ControllerOptions.defaults());
  WorkQueue<Request> queue = run.keys().queue();
  Worker worker = worker(run, ControllerOptions.defaults());

  ControllerRun run(ControllerOptions options) {
    ControllerRun begun = new ControllerRun(config(options, listener()));
    begun.keys().openQueue(begun.keys().begin(0));
    return begun;
  }

  Worker worker(ControllerRun of, ControllerOptions options) {
    return new Worker(config(options, listener()), of);
  }

  ControllerListener listener() {
    return new ControllerListener() {
      @Override
      public void reconciled(Request request, Outcome outcome, Duration took) {
        heard.add(new Heard(request, outcome, took));
      }

      @Override
      public void failed(Request request, Throwable thrown) {
        failures.add(thrown);
      }
    };
  }

  /** From now on with these. */
  void use(ControllerOptions options) {
    run = run(options);
    queue = run.keys().queue();
    worker = worker(run, options);
  }

  ControllerConfig config(ControllerOptions options, ControllerListener listener) {
    return ControllerConfigs.config(
        time,
        c -> {
          c.reconciler = new Counting();
          c.options = options;
          c.listener = listener;
          c.leading = new LeadershipRequirement(Phase.LEADER, fence, true);
          c.random = random;
          change(c);
        });
  }

  void change(ControllerConfigs config) {}

  /** Open or closed, as the test wants it. */
  private final class TestFence implements Fence {
    @Override
    public boolean holds() {
      return open;
    }

    @Override
    public Duration check() {
      return LEAVE;
    }
  }

  private static final Duration LEAVE = Duration.ofSeconds(1);

  /** The ids of reconciles: made between the take and the begin, which a test can use. */
  private final class Ids implements RandomGenerator {
    private final Random ids = new Random(1);

    @Override
    public long nextLong() {
      beforeTheBegin.run();
      return ids.nextLong();
    }
  }

  final class Counting implements Reconciler {
    @Override
    public Result reconcile(Request request, ReconcileContext context) throws Exception {
      attempts.add(context.attempt());
      return reconciler.reconcile(request, context);
    }

    @Override
    public String toString() {
      return "FooReconciler";
    }
  }

  void runOnce() {
    queue.add(FOO);
    worker.step();
  }

  void failBefore(int times) {
    for (int i = 0; i < times; i++) {
      queue.addRateLimited(FOO);
    }
    time.advance(TEN);
    assertThat(queue.retries(FOO)).isEqualTo(times);
  }

  /** How long until the key is ready again; negative for never. */
  Duration waitOfKey() {
    if (queue.length() > 0) {
      return Duration.ZERO;
    }
    return queue.delayed() == 0 ? Duration.ofNanos(-1) : time.pending().get(0);
  }

  static final Duration NEVER = Duration.ofNanos(-1);
}
