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
import java.util.stream.Stream;
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

  private static final String OUTLASTING =
      "a reconcile from before the last stop has not returned, and no other begins until it has";

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  private final ControllerConfig config;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private @Nullable Run run;

  /** Workers of earlier runs whose reconcile has not returned, so that they still hold its key. */
  @GuardedBy("lock")
  private final List<Thread> outlasting = new ArrayList<>();

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
      Run beginning = new Run();
      beginning.begin();
      run = beginning;
    }
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Run ending;
    synchronized (lock) {
      ending = run;
    }
    if (ending == null) {
      return true;
    }
    boolean ended = ending.end(limit);
    synchronized (lock) {
      outlasting.addAll(ending.workersAlive());
      if (run == ending) {
        run = null;
      }
    }
    return ended;
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
    Run current;
    synchronized (lock) {
      current = run;
    }
    return current == null ? Optional.empty() : current.trouble();
  }

  private boolean someOutlast() {
    synchronized (lock) {
      outlasting.removeIf(worker -> !worker.isAlive());
      return !outlasting.isEmpty();
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
      boolean begun = false;
      try {
        for (Source source : config.sources()) {
          sources.add(source.start(queue::add));
        }
        log.info("Waiting for informer caches to sync");
        starter.start();
        begun = true;
      } finally {
        if (!begun) {
          closeQueueAndSources();
        }
      }
    }

    /** The starter's step: looks whether the workers may begin. */
    private Pause awaitSources() {
      if (ready || stopping) {
        return Pause.UNTIL_WOKEN;
      }
      // A key that an earlier run still works on must not be worked on by this one, too.
      if (!sources.stream().allMatch(Source.Running::hasSynced) || someOutlast()) {
        return Pause.of(SYNC_POLL);
      }
      log.info("Starting workers");
      synchronized (workers) {
        // After a thread that could not be made, the next step goes on with its number.
        while (workers.size() < config.maxConcurrentReconciles() && !stopping) {
          workers.add(startWorker(workers.size() + 1));
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
          Stream.concat(
                  sources.stream().flatMap(source -> source.trouble().stream()),
                  someOutlast() ? Stream.of(OUTLASTING) : Stream.empty())
              .collect(Collectors.joining("; "));
      return troubles.isEmpty() ? Optional.empty() : Optional.of(troubles);
    }

    /** Waits for the reconciles that run, and interrupts those that outlast the limit. */
    boolean end(Duration limit) throws InterruptedException {
      log.info("Shutting down workers");
      long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
      stopping = true;
      ready = false;
      starter.stop();
      closeQueueAndSources();
      boolean ended = starter.join(until(deadline));
      for (Thread worker : workersAlive()) {
        ended &= join(worker, deadline);
      }
      return ended;
    }

    private void closeQueueAndSources() {
      queue.shutDown();
      for (Source.Running source : sources) {
        try {
          source.stop();
        } catch (RuntimeException e) {
          log.error("A source of {} failed to stop; the others are stopped", name(), e);
        }
      }
    }

    List<Thread> workersAlive() {
      synchronized (workers) {
        return workers.stream().filter(Thread::isAlive).toList();
      }
    }

    private boolean join(Thread worker, long deadline) throws InterruptedException {
      if (worker == Thread.currentThread()) {
        return false; // a reconciler that stops its own controller can't wait for itself
      }
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
