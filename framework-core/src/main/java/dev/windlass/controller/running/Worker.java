// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.logging.SafeLog;
import dev.windlass.controller.loopdetection.LoopDetector;
import dev.windlass.controller.loopdetection.RunHistory;
import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ReconcileSemaphore;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.SteppedTask;
import dev.windlass.workqueue.RecordingWorkQueue;
import dev.windlass.workqueue.WorkItem;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Takes requests from the queue one after another and passes them to the reconciler. The {@link
 * ResultHandler} then determines whether and when each request is reconciled again. If a request is
 * to be reconciled again, it is added to the queue before the worker closes its {@link WorkItem}.
 * An event that arrives between these two steps is therefore not lost.
 */
public final class Worker implements SteppedTask {

  /** The delay before a request is retried if its reconcile could not start: 1 s. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private final ControllerConfig config;
  private final ControllerRun run;
  private final OwnedKeys keys;
  private final RecordingWorkQueue<Request, KeyState> queue;
  private final Pause pause;
  private final Watchdog watchdog;
  private final ResultHandler resultHandler;
  private final @Nullable LoopDetector loops;

  /** Whether this worker takes further requests: not after a reconcile that outlived its term. */
  private boolean goesOn = true;

  public Worker(ControllerConfig config, ControllerRun run) {
    this.config = config;
    this.run = run;
    this.keys = run.keys();
    this.queue = keys.queue();
    this.pause = new Pause(config, queue);
    this.watchdog = run.watchdog();
    this.resultHandler = new ResultHandler(config, run.keys());
    this.loops =
        config.options().loopDetection
            ? new LoopDetector(config.name(), config.lookup(), config.listener())
            : null;
  }

  /** Processes requests until the queue is closed. */
  @Override
  public void run() {
    while (goesOn) {
      try {
        Optional<WorkItem<Request>> next = queue.take();
        next.ifPresent(this::process);
        goesOn &= next.isPresent();
      } catch (InterruptedException e) {
        // If a stop runs out of time, it interrupts the worker after it has closed the queue.
        // Any other interrupt may have been left by a reconciler, and must not end the worker.
      } catch (Throwable t) {
        FatalErrors.rethrow(t);
        SafeLog.error("{}: A worker failed outside a reconcile; it continues", config.name(), t);
      }
    }
    run.workerEnded();
  }

  @Override
  public Progress runRound() {
    boolean ran = step();
    if (goesOn && (ran || keys.isQueueOpen())) {
      return ran ? Progress.RAN : Progress.WAITING;
    }
    run.workerEnded();
    return Progress.ENDED;
  }

  /**
   * Processes the next ready request on the calling thread. Returns immediately if no request is
   * ready. This method is intended for tests.
   *
   * @return whether a request was ready
   */
  public boolean step() {
    Optional<WorkItem<Request>> next = queue.poll();
    next.ifPresent(this::process);
    return next.isPresent();
  }

  private void process(WorkItem<Request> taken) {
    try (WorkItem<Request> item = taken) {
      try {
        processOpen(item);
      } catch (RuntimeException | Error e) { // outside the reconcile; must not lose the request
        queue.addAfter(item.key(), AFTER_FAILURE, item.priority());
        throw e;
      } finally {
        keys.dropUnowned(item.key()); // the term may have ended meanwhile
      }
    }
  }

  private void processOpen(WorkItem<Request> item) {
    if (!run.mayBegin(item.key())) {
      putBack(item);
    } else if (config.isAccepted(item.key())) {
      holdOrWork(item);
    } else { // its namespace was removed
      queue.forget(item.key());
      queue.update(item.key(), KeyState::clear);
    }
  }

  /**
   * Requeues a request that cannot be reconciled now, unless the term has ended. The next term
   * begins with a request for each object. If the fence is closed, but the term has not ended, the
   * request must be kept, because no other term may follow.
   */
  private void putBack(WorkItem<Request> item) {
    if (keys.owns(item.key())) {
      queue.addAfter(item.key(), AFTER_FAILURE, item.priority());
    }
  }

  private void holdOrWork(WorkItem<Request> item) {
    Duration hold = keys.hold(item.key());
    if (!hold.isZero()) {
      queue.addAfter(item.key(), hold, item.priority());
      return;
    }
    try (ReconcileSemaphore.Permit permit = run.permit(item.key())) {
      WriterContext writes = run.writes(item.key());
      writes.reconcile(() -> work(item, active(item, writes, permit)));
    } catch (InterruptedException e) { // left over by a reconciler, or caused by a stop
      putBack(item);
    }
  }

  private void work(WorkItem<Request> item, ActiveReconcile active) {
    try {
      watchdog.began(active);
      if (run.mayBegin(item.key())) { // a later stop finds and cancels this reconcile
        Optional<RunHistory> history = keys.ran(item.key());
        if (loops != null) {
          history.ifPresent(runs -> loops.evaluate(item.key(), active.causes(), runs));
        }
        Outcome outcome = reconcile(item, active);
        Duration took = active.elapsed();
        SafeLog.safely(config.listener(), l -> l.reconciled(item.key(), outcome, took));
      } else {
        queue.update(item.key(), state -> state.putBack(active.causes()));
        putBack(item);
      }
    } finally {
      goesOn &= active.end();
      watchdog.ended(active);
      MDC.clear();
      Thread.interrupted(); // the interrupt was for the reconcile, which has returned
    }
  }

  private ActiveReconcile active(
      WorkItem<Request> item, WriterContext writes, ReconcileSemaphore.@Nullable Permit permit) {
    Request request = item.key();
    String id = new UUID(config.random().nextLong(), config.random().nextLong()).toString();
    MDC.put("controller", config.name());
    if (!request.cluster().isEmpty()) {
      MDC.put("cluster", OneLine.of(request.cluster()));
    }
    MDC.put("namespace", OneLine.of(request.namespace()));
    MDC.put("name", OneLine.of(request.name()));
    MDC.put("reconcileId", id);
    return new ActiveReconcile(
        config,
        new ActiveReconcile.Circumstances(
            request,
            id,
            queue.retries(request),
            item.priority(),
            queue.record(request, KeyState::begin)),
        writes,
        run.cancellations(request),
        permit);
  }

  /**
   * Returns the given result.
   *
   * @throws IllegalStateException if the reconciler returned null
   */
  public static Result requireResult(@Nullable Result result, String controller) {
    if (result == null) {
      throw new IllegalStateException(
          "the reconciler of the controller "
              + controller
              + " returned null; it must return Result.done() or another result");
    }
    return result;
  }

  private Outcome reconcile(WorkItem<Request> item, ActiveReconcile active) {
    Result result;
    try {
      result =
          pause.holds(item.key())
              ? Result.done()
              : requireResult(config.reconciler().reconcile(item.key(), active), config.name());
    } catch (Throwable t) {
      FatalErrors.rethrow(t);
      // This is the boundary to user code, where no failure may affect other requests.
      return resultHandler.failed(item.key(), t, active);
    }
    return resultHandler.returned(item.key(), result, active);
  }
}
