// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;

/** A watchdog and workers on virtual time, which the test moves itself. */
abstract class WatchdogHarness {

  static final Request FOO = Request.of("default", "example-foo");
  static final Duration MINUTE = Duration.ofMinutes(1);

  final ManualScheduler time = new ManualScheduler();
  final List<String> heard = new CopyOnWriteArrayList<>();
  final CountDownLatch end = new CountDownLatch(1);
  final Threads threads = new Threads();
  Reconciler reconciler = (request, context) -> Result.done();
  ControllerRun run = run(ControllerOptions.defaults());

  final ControllerListener listener =
      new ControllerListener() {
        @Override
        public void reconciled(Request request, Outcome outcome, Duration took) {
          heard.add(outcome + " " + took);
        }

        @Override
        public void timedOut(Request request) {
          heard.add("timed out " + request.name());
        }

        @Override
        public void stuck(Request request, Duration elapsed) {
          heard.add("stuck " + request.name() + " " + elapsed);
        }
      };

  ControllerConfig config(ControllerOptions options) {
    return ControllerConfigs.config(
        time,
        c -> {
          c.reconciler = (request, context) -> reconciler.reconcile(request, context);
          c.options = options;
          c.listener = listener;
          c.threads = threads;
        });
  }

  ControllerRun run(ControllerOptions options) {
    ControllerRun begun = new ControllerRun(config(options));
    begun.keys().openQueue(begun.keys().begin(0));
    return begun;
  }

  Worker use(ControllerOptions options) {
    run = run(options);
    return new Worker(config(options), run);
  }

  @AfterEach
  void endsTheWorkers() throws InterruptedException {
    end.countDown();
    run.cancel(Duration.ofHours(1));
    run.keys().queue().shutDown();
    threads.assertEnded();
    run.watchdog().close();
    assertThat(Thread.interrupted()).isFalse();
  }

  void runOnce(Worker worker) {
    run.keys().queue().add(FOO);
    worker.step();
  }

  void waitStubbornly() {
    Eventually.stuckUntil(() -> end.getCount() == 0);
  }

  ActiveReconcile active(String name) {
    Request request = Request.of(name);
    return new ActiveReconcile(
        config(ControllerOptions.defaults()),
        new ActiveReconcile.Circumstances(
            request, "id", 0, Priority.NORMAL, new KeyState.Begun(List.of(), 0)),
        run.writes(request),
        run.cancellations(request),
        null);
  }
}
