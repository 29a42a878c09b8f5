// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.logging.ControllerLog;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ReconcileSemaphore;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A running reconcile, and the {@link ReconcileContext} that its reconciler receives.
 *
 * <p>A reconcile is cancelled at most once. Its thread is interrupted only while the reconcile
 * runs. An interrupt therefore never reaches the next reconcile on the same thread.
 */
public final class ActiveReconcile implements ReconcileContext {

  private static final Logger log = ControllerLog.get();

  /**
   * The circumstances of a reconcile at its start.
   *
   * @param request the request that the reconcile processes
   * @param id the identifier of the run
   * @param attempt the number of consecutive previous runs that failed or requested another run
   *     with back-off
   * @param priority the priority with which the request was queued
   * @param begun what the reconcile took from the state of the request
   */
  record Circumstances(
      Request request, String id, int attempt, Priority priority, KeyState.Begun begun) {}

  private final ControllerConfig config;
  private final Circumstances circumstances;
  private final BackgroundTasks cancellations;
  private final ReconcileSemaphore.@Nullable Permit permit;
  private final Thread thread = Thread.currentThread();

  private final WriterContext writes;
  private final long startedAt;

  private volatile boolean cancelled;
  private volatile boolean timedOut;
  private volatile boolean stuck;

  @GuardedBy("this")
  private boolean interrupted;

  @GuardedBy("this")
  private long interruptedAt;

  @GuardedBy("this")
  private boolean ended;

  /** The time to interrupt this reconcile at, because its term ends; null if there is none. */
  @GuardedBy("this")
  private @Nullable Long stopsAt;

  @GuardedBy("this")
  private final List<Runnable> onCancel = new ArrayList<>(0);

  /**
   * Creates a reconcile that begins now and runs on the current thread.
   *
   * @param writes the context of the reconcile's writes
   * @param cancellations runs the actions to perform when the reconcile is cancelled
   * @param permit the permit that the reconcile holds, or null if the controller has no shared
   *     limit on concurrent reconciles
   */
  ActiveReconcile(
      ControllerConfig config,
      Circumstances circumstances,
      WriterContext writes,
      BackgroundTasks cancellations,
      ReconcileSemaphore.@Nullable Permit permit) {
    this.config = config;
    this.circumstances = circumstances;
    this.writes = writes;
    this.cancellations = cancellations;
    this.permit = permit;
    this.startedAt = config.scheduler().nanoTime();
  }

  public Request request() {
    return circumstances.request();
  }

  Thread thread() {
    return thread;
  }

  public Duration elapsed() {
    return Duration.ofNanos(config.scheduler().nanoTime() - startedAt);
  }

  /**
   * Returns whether the time-out cancelled this reconcile. Returns false if a shutdown cancelled it
   * before the time-out expired.
   */
  public boolean timedOut() {
    return timedOut;
  }

  /** Returns whether the reconcile was still running {@link Watchdog#GRACE} after its time-out. */
  public boolean stuck() {
    return stuck;
  }

  /**
   * Marks the reconcile as stuck, and releases its permit, so that it does not block other
   * controllers.
   */
  void markStuck() {
    stuck = true;
    if (permit != null) {
      permit.close();
    }
  }

  /** Cancels the reconcile. This method does not block. */
  void cancel() {
    List<Runnable> actions;
    synchronized (this) {
      if (ended || cancelled) {
        return;
      }
      cancelled = true;
      actions = List.copyOf(onCancel);
      onCancel.clear();
    }
    if (!actions.isEmpty()) {
      cancellations.send("cancel", () -> actions.forEach(this::runSafely));
    }
  }

  /**
   * Cancels and interrupts the reconcile because its time-out has expired.
   *
   * @return whether this call interrupted the reconcile
   */
  boolean expire() {
    synchronized (this) {
      if (ended || interrupted) {
        return false;
      }
      timedOut = !cancelled;
    }
    return interrupt();
  }

  /**
   * Cancels the reconcile, and then interrupts its thread unless the thread has already been
   * interrupted. Code that catches the interrupt can call {@link #isCancelled()} to decide whether
   * to stop. This method therefore cancels the reconcile first.
   *
   * @return whether this call interrupted the reconcile
   */
  boolean interrupt() {
    cancel();
    synchronized (this) {
      if (ended || interrupted) {
        return false;
      }
      interrupted = true;
      interruptedAt = config.scheduler().nanoTime();
      try {
        writes.abandon(); // the reconciler may go on, and read what it was about to write
      } finally {
        thread.interrupt();
      }
      return true;
    }
  }

  /**
   * Sets the time to interrupt this reconcile at, unless an earlier one is set. The worker ends
   * with the reconcile.
   *
   * @return whether the reconcile was still running
   */
  synchronized boolean stopAt(long time) {
    Long earlier = stopsAt;
    if (!ended && (earlier == null || time - earlier < 0)) {
      stopsAt = time;
    }
    return !ended;
  }

  synchronized @Nullable Long stopsAt() {
    return stopsAt;
  }

  /** Returns the time since the reconcile was interrupted, or zero if it was not. */
  public synchronized Duration sinceInterrupt() {
    return interrupted
        ? Duration.ofNanos(config.scheduler().nanoTime() - interruptedAt)
        : Duration.ZERO;
  }

  synchronized boolean wasInterrupted() {
    return interrupted;
  }

  /**
   * Records that the reconcile has returned. After this call, its thread is not interrupted any
   * more.
   *
   * @return whether the worker goes on
   */
  synchronized boolean end() {
    ended = true;
    onCancel.clear();
    return stopsAt == null;
  }

  @Override
  public Client client() {
    return CachedClient.bound(config.access().client(request()), writes);
  }

  @Override
  public <S extends HasMetadata> List<S> secondaries(Class<S> type) {
    return config.access().secondaries(type, request());
  }

  @Override
  public String reconcileId() {
    return circumstances.id();
  }

  @Override
  public int attempt() {
    return circumstances.attempt();
  }

  @Override
  public List<String> reasons() {
    Stream<String> reasons = circumstances.begun().reasons().stream().map(Object::toString);
    int ignored = circumstances.begun().ignoredEvents();
    if (ignored == 0) {
      return reasons.toList();
    }
    String events = ignored == 1 ? "1 own event ignored" : ignored + " own events ignored";
    return Stream.concat(reasons, Stream.of(events)).toList();
  }

  List<Object> causes() {
    return circumstances.begun().reasons();
  }

  @Override
  public Priority priority() {
    return circumstances.priority();
  }

  @Override
  public Optional<Duration> timeLeft() {
    Duration timeout = config.options().reconcileTimeout;
    if (timeout.isZero()) {
      return Optional.empty();
    }
    Duration left = timeout.minus(elapsed());
    return Optional.of(left.isNegative() ? Duration.ZERO : left);
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public void onCancel(Runnable action) {
    synchronized (this) {
      if (ended) {
        return;
      }
      if (!cancelled) {
        onCancel.add(action);
        return;
      }
    }
    runSafely(action);
  }

  @Override
  public <V> V call(Callable<V> task) throws Exception {
    return writes.call(task);
  }

  @Override
  public void run(Runnable task) {
    writes.run(task);
  }

  private void runSafely(Runnable action) {
    try {
      run(action);
    } catch (Throwable t) { // user code; the other actions still run
      FatalErrors.rethrow(t);
      log.error("A cancellation callback of a reconcile failed", OneLine.of(t));
    }
  }

  @Override
  public String toString() {
    return "reconcile " + reconcileId() + " of '" + request() + "'";
  }
}
