// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.TerminalException;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.WorkItem;
import dev.windlass.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes requests from the queue to the reconciler, one after the other, and acts on the outcome.
 *
 * <p>What becomes of a request is decided in this order: an exception means try again after the
 * back-off; {@code requeueAfter} means again at that time, the back-off forgotten; {@code requeue}
 * means again after the back-off; otherwise the request is done and its back-off forgotten.
 */
final class Worker implements Runnable {

  private static final Logger log = LoggerFactory.getLogger(Controller.class);

  /** How deep causes are looked at: they may form a circle. */
  private static final int MAX_CAUSES = 20;

  private final String controller;
  private final WorkQueue<Request> queue;
  private final Reconciler reconciler;
  private final Scheduler scheduler;
  private final RandomGenerator random;
  private final ControllerListener listener;
  private final BooleanSupplier stopping;

  Worker(
      String controller,
      WorkQueue<Request> queue,
      Reconciler reconciler,
      Scheduler scheduler,
      RandomGenerator random,
      ControllerListener listener,
      BooleanSupplier stopping) {
    this.controller = controller;
    this.queue = queue;
    this.reconciler = reconciler;
    this.scheduler = scheduler;
    this.random = random;
    this.listener = listener;
    this.stopping = stopping;
  }

  /** Works until the queue is shut down. */
  @Override
  public void run() {
    while (true) {
      try {
        Optional<WorkItem<Request>> next = queue.take();
        if (next.isEmpty()) {
          return;
        }
        process(next.get());
      } catch (InterruptedException e) {
        // A stop that lost its patience interrupts us, and has shut the queue down before. Any
        // other interrupt was left behind by a reconciler and must not cost us a worker.
      } catch (Throwable t) {
        log.error("{}: a worker failed outside of a reconcile; it goes on", controller, t);
      }
    }
  }

  /** Works on what is ready now, if anything is. For tests, which own the thread. */
  boolean step() {
    Optional<WorkItem<Request>> next = queue.poll();
    next.ifPresent(this::process);
    return next.isPresent();
  }

  private void process(WorkItem<Request> taken) {
    try (WorkItem<Request> item = taken) {
      if (stopping.getAsBoolean()) {
        return; // nothing begins after a stop; the next start sees every object anyway
      }
      long start = scheduler.nanoTime();
      Outcome outcome = reconcile(item);
      listener.reconciled(item.key(), outcome, Duration.ofNanos(scheduler.nanoTime() - start));
    }
  }

  private Outcome reconcile(WorkItem<Request> item) {
    Request request = item.key();
    Result result;
    try {
      result = reconciler.reconcile(request, contextOf(request));
      if (result == null) {
        throw new IllegalStateException(
            reconciler + " returned null; it must return Result.done() or another result");
      }
    } catch (Throwable t) {
      // The root of user code: whatever it was, others go on.
      return isTerminal(t) ? failedForGood(request, t) : failed(item, t);
    }
    return succeeded(item, result);
  }

  /** Also inside of another exception, as libraries between the two like to wrap. */
  private static boolean isTerminal(Throwable t) {
    Throwable cause = t;
    for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
      if (cause instanceof TerminalException) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private Outcome failedForGood(Request request, Throwable t) {
    queue.forget(request);
    log.error("error syncing '{}': {}, not requeuing", request, messageOf(t), t);
    return Outcome.TERMINAL_ERROR;
  }

  private Outcome failed(WorkItem<Request> item, Throwable t) {
    if (t instanceof InterruptedException && stopping.getAsBoolean()) {
      log.info("{}: the reconcile of '{}' was interrupted by the stop", controller, item.key());
      return Outcome.ERROR;
    }
    queue.addRateLimited(item.key(), item.priority());
    log.error("error syncing '{}': {}, requeuing", item.key(), messageOf(t), t);
    return Outcome.ERROR;
  }

  private static String messageOf(Throwable t) {
    return t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
  }

  private Outcome succeeded(WorkItem<Request> item, Result result) {
    if (!result.requeueAfter().isZero()) {
      queue.forget(item.key());
      queue.addAfter(item.key(), result.requeueAfter(), item.priority());
      return Outcome.REQUEUE_AFTER;
    } else if (result.requeue()) {
      queue.addRateLimited(item.key(), item.priority());
      return Outcome.REQUEUE;
    }
    queue.forget(item.key());
    return Outcome.DONE;
  }

  private ReconcileContext contextOf(Request request) {
    String id = new UUID(random.nextLong(), random.nextLong()).toString();
    int attempt = queue.retries(request);
    return new ReconcileContext() {
      @Override
      public String reconcileId() {
        return id;
      }

      @Override
      public int attempt() {
        return attempt;
      }

      @Override
      public boolean isCancelled() {
        return stopping.getAsBoolean();
      }
    };
  }
}
