// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.monitoring.MetricsListener;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.running.SourceRunner;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.rbac.Permissions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Threads;
import dev.windlass.testsupport.Eventually;
import dev.windlass.workqueue.WorkQueueListener;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;

/** A controller on virtual time, with its threads and two sources. */
abstract class ControllerHarness {

  static final Duration LIMIT = Duration.ofSeconds(20);
  static final Duration SHORT = Duration.ofMillis(20);

  record Seen(String name, String thread) {}

  final ManualScheduler time = new ManualScheduler();
  final FakeSource first = new FakeSource();
  final FakeSource second = new FakeSource();
  final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
  final Threads threads = new Threads();
  final CountDownLatch release = new CountDownLatch(1);
  final List<Throwable> failures = new CopyOnWriteArrayList<>();
  Controller controller = controller(1, this::see);

  @AfterEach
  void leavesNoThreadBehind() throws InterruptedException {
    release.countDown();
    controller.stop(LIMIT);
    threads.assertEnded();
  }

  Controller controller(int workers, Reconciler reconciler) {
    return controller(workers, reconciler, Thread::new);
  }

  Controller controller(int workers, Reconciler reconciler, ThreadFactory factory) {
    return controller(List.of(first, second), workers, reconciler, factory);
  }

  Controller controller(
      List<Source> sources, int workers, Reconciler reconciler, ThreadFactory factory) {
    return controller(
        sources,
        ControllerOptions.defaults().with(o -> o.maxConcurrentReconciles = workers),
        reconciler,
        factory);
  }

  Controller controller(List<Source> sources, ControllerOptions options, Reconciler reconciler) {
    return controller(sources, options, reconciler, Thread::new);
  }

  Controller controller(
      List<Source> sources,
      ControllerOptions options,
      Reconciler reconciler,
      ThreadFactory factory) {
    return controller(
        ControllerConfigs.config(
            time,
            c -> {
              c.sources = sources;
              c.reconciler = reconciler;
              c.options = options;
              c.onFailure = failures::add;
              c.threads =
                  task -> {
                    Thread thread = factory.newThread(task);
                    threads.add(thread);
                    return thread;
                  };
            }));
  }

  /** Threads, and one that can't start whenever the machine is told to have no more. */
  static ThreadFactory refusing(BooleanSupplier refuses) {
    return task -> {
      boolean refused = refuses.getAsBoolean();
      return new Thread(task) {
        @Override
        public synchronized void start() {
          if (refused) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          super.start();
        }
      };
    };
  }

  Result see(Request request, Object context) {
    seen.add(new Seen(request.name(), Thread.currentThread().getName()));
    return Result.done();
  }

  /** Sees, and stays until the test ends or the stop interrupts. */
  Result stay(Request request, Object context) throws InterruptedException {
    see(request, context);
    release.await();
    return Result.done();
  }

  /** Sees, and stays until the test ends whoever interrupts. */
  Result stayStubbornly(Request request, Object context) {
    see(request, context);
    boolean released = false;
    while (!released) {
      try {
        release.await();
        released = true;
      } catch (InterruptedException e) {
        seen.add(new Seen("interrupted", Thread.currentThread().getName()));
      }
    }
    return Result.done();
  }

  /** In code that can't say that it was interrupted. */
  boolean stop(Duration limit) {
    try {
      return controller.stop(limit);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  Seen next() throws InterruptedException {
    Seen next = seen.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return next == null ? new Seen("nothing in time", "") : next;
  }

  void startUntilReady() {
    controller.start();
    awaitReady();
  }

  /** Starts it, and returns when it reconciles a. */
  void startWithA() throws InterruptedException {
    controller.start();
    first.add("a");
    assertThat(next().name()).isEqualTo("a");
  }

  void awaitReady() {
    Eventually.that(
        () -> {
          time.advance(SourceRunner.SYNC_POLL);
          assertThat(controller.isReady()).isTrue();
        });
  }

  /** Waits until the starter has looked and rests. */
  void awaitLooked() {
    Eventually.that(() -> assertThat(time.pending()).isNotEmpty());
  }

  /** A controller that is not registered, and counts nothing. */
  static Controller controller(ControllerConfig config) {
    return new Controller(
        config,
        new MetricsListener(Optional.empty(), ControllerListener.NONE, WorkQueueListener.NONE),
        () -> Permissions.NONE);
  }
}
