// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one reconciler: starts its sources, waits until all of them have synced and their handlers
 * have seen the initial list, and then lets workers take requests from the queue.
 *
 * <p>A source that can't sync, for want of its CRD or of the right to list, keeps the workers
 * waiting and is tried again until it can; {@link #trouble()} names it.
 *
 * <p>Made by {@link ControllerBuilder}. All methods may be called from any thread. It may be
 * started again after it was stopped.
 */
public final class Controller implements ManagedComponent {

  /** How often the sources are asked whether they have synced: 100 ms (client-go, 002-44). */
  static final Duration SYNC_POLL = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final ControllerConfig config;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable Run run;

  Controller(ControllerConfig config) {
    this.config = config;
  }

  /** The name in logs, metrics and threads. */
  public String name() {
    return config.name();
  }

  @Override
  public void start() {
    synchronized (lock) {
      if (run != null) {
        throw new IllegalStateException("controller " + name() + " is running already");
      }
      run = new Run();
      run.begin();
    }
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Run ending;
    synchronized (lock) {
      ending = run;
      run = null;
    }
    return ending == null || ending.end(limit);
  }

  /** Whether the workers are at work: every source has synced. */
  public boolean isReady() {
    synchronized (lock) {
      return run != null && run.ready;
    }
  }

  /** How many requests are ready and wait for a worker. */
  public int queueLength() {
    synchronized (lock) {
      return run == null ? 0 : run.queue.length();
    }
  }

  /** What keeps sources from syncing or being up to date; empty if all is well. */
  public Optional<String> trouble() {
    synchronized (lock) {
      return run == null ? Optional.empty() : run.trouble();
    }
  }

  @Override
  public String toString() {
    return "controller " + name();
  }

  /** One life of the controller, from a start to the stop that follows. */
  private final class Run {
    private final Scheduler scheduler = config.scheduler();
    private final WorkQueue<Request> queue = WorkQueue.create(config.queue());
    private final List<Source.Running> sources = new ArrayList<>();
    private final List<Thread> workers = new ArrayList<>();
    private final Loop starter =
        new Loop(name() + "-starter", this::awaitSources, scheduler, config.threads());
    private volatile boolean ready;
    private volatile boolean stopping;

    void begin() {
      log.info("Starting {} controller", config.kind());
      for (Source source : config.sources()) {
        sources.add(source.start(queue::add));
      }
      log.info("Waiting for informer caches to sync");
      starter.start();
    }

    /** The starter's step: looks whether the workers may begin. */
    private Pause awaitSources() {
      if (ready) {
        return Pause.UNTIL_WOKEN;
      }
      if (!sources.stream().allMatch(Source.Running::hasSynced)) {
        return Pause.of(SYNC_POLL);
      }
      log.info("Starting workers");
      synchronized (workers) {
        for (int i = 1; i <= config.maxConcurrentReconciles() && !stopping; i++) {
          workers.add(startWorker(i));
        }
      }
      ready = true;
      log.info("Started workers");
      return Pause.UNTIL_WOKEN;
    }

    private Thread startWorker(int number) {
      Worker worker =
          new Worker(
              name(),
              queue,
              config.reconciler(),
              scheduler,
              config.random(),
              config.listener(),
              () -> stopping);
      Thread thread = config.threads().newThread(worker);
      thread.setName(name() + "-worker-" + number);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    Optional<String> trouble() {
      String troubles =
          sources.stream()
              .flatMap(source -> source.trouble().stream())
              .collect(Collectors.joining("; "));
      return troubles.isEmpty() ? Optional.empty() : Optional.of(troubles);
    }

    /** Waits for the reconciles that run, and interrupts those that outlast the limit. */
    boolean end(Duration limit) throws InterruptedException {
      log.info("Shutting down workers");
      long deadline = scheduler.nanoTime() + limit.toNanos();
      stopping = true;
      ready = false;
      starter.stop();
      sources.forEach(Source.Running::stop);
      queue.shutDown();
      boolean ended = starter.join(until(deadline));
      List<Thread> running;
      synchronized (workers) {
        running = List.copyOf(workers);
      }
      for (Thread worker : running) {
        ended &= join(worker, deadline);
      }
      return ended;
    }

    private boolean join(Thread worker, long deadline) throws InterruptedException {
      worker.join(Math.max(1, until(deadline).toMillis()));
      if (worker.isAlive()) {
        log.warn("{} did not end in time and is interrupted", worker.getName());
        worker.interrupt();
      }
      return !worker.isAlive();
    }

    private Duration until(long deadline) {
      return Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime()));
    }
  }
}
