// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.Client;
import dev.windlass.client.WriteScope;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reporting.ControllerLog;
import dev.windlass.logging.OneLine;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;

/**
 * One running reconcile: its context, and the means to cancel it.
 *
 * <p>It is cancelled at most once, and its thread is interrupted only while it runs, so that an
 * interrupt never reaches the next reconcile on the same thread.
 */
public final class ActiveReconcile implements ReconcileContext {

  private static final Logger log = ControllerLog.get();

  /**
   * The circumstances of a reconcile at its start.
   *
   * @param timeout zero for none
   * @param tools the tools that it uses
   */
  record Circumstances(
      Request request,
      String id,
      int attempt,
      Priority priority,
      List<Object> reasons,
      Duration timeout,
      ReconcileTools tools) {}

  private final Circumstances circumstances;
  private final Scheduler scheduler;
  private final BackgroundTasks errands;
  private final Runnable passOn;
  private final Thread thread = Thread.currentThread();

  /** The scope of its writes; empty only in tests, in which no controller runs it. */
  private final Optional<WriteScope> writes = WriteScope.current();

  private final long startedAt;

  private volatile boolean cancelled;
  private volatile boolean timedOut;
  private volatile boolean stuck;
  private volatile boolean leftAlone;

  /**
   * The run time at which it is next reported as slow; used by the watchdog, one check at a time.
   */
  private Duration slowAt;

  @GuardedBy("this")
  private boolean interrupted;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private final List<Runnable> onCancel = new ArrayList<>(0);

  /**
   * Creates a reconcile that starts now, on the current thread.
   *
   * @param slowAfter the run time after which it is reported as slow
   * @param errands runs its actions for cancellation
   * @param passOn passes its turn to another reconcile
   */
  ActiveReconcile(
      Circumstances circumstances,
      Duration slowAfter,
      Scheduler scheduler,
      BackgroundTasks errands,
      Runnable passOn) {
    this.passOn = passOn;
    this.errands = errands;
    this.circumstances = circumstances;
    this.scheduler = scheduler;
    this.startedAt = scheduler.nanoTime();
    this.slowAt = slowAfter;
  }

  public Request request() {
    return circumstances.request();
  }

  Thread thread() {
    return thread;
  }

  /** Returns how long it has run. */
  public Duration elapsed() {
    return Duration.ofNanos(scheduler.nanoTime() - startedAt);
  }

  /** Returns whether its own time-out, rather than an earlier event, has cancelled it. */
  public boolean timedOut() {
    return timedOut;
  }

  /** Returns whether it is still running some time after it was interrupted. */
  public boolean stuck() {
    return stuck;
  }

  Duration slowAt() {
    return slowAt;
  }

  void slowAt(Duration elapsed) {
    slowAt = elapsed;
  }

  /** Returns whether no further action of the watchdog is possible. */
  boolean isLeftAlone() {
    return leftAlone;
  }

  void leaveAlone() {
    leftAlone = true;
  }

  /** Passes its turn on, because another worker has replaced its own. */
  void passOn() {
    passOn.run();
  }

  /** Marks it as not reacting to its interrupt. */
  void markStuck() {
    stuck = true;
  }

  /** Cancels the reconcile. Does not block. */
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
      errands.send("cancel", () -> actions.forEach(this::runSafely));
    }
  }

  /**
   * Cancels and interrupts the reconcile because of its own time-out.
   *
   * @return whether this call interrupted it
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
   * Interrupts its thread, at most once. Cancels it first: interrupted code must find {@link
   * #isCancelled()} true, or the usual loop around a blocking call would never end.
   *
   * @return whether this call interrupted it
   */
  boolean interrupt() {
    cancel();
    synchronized (this) {
      if (ended || interrupted) {
        return false;
      }
      interrupted = true;
      thread.interrupt();
      return true;
    }
  }

  /** Returns whether it was interrupted. */
  synchronized boolean wasInterrupted() {
    return interrupted;
  }

  /** Marks the reconcile as returned; from now on nothing reaches its thread. */
  void end() {
    synchronized (this) {
      ended = true;
      onCancel.clear();
    }
  }

  synchronized boolean hasEnded() {
    return ended;
  }

  @Override
  public Client client() {
    Client client = circumstances.tools().client(request());
    return writes.map(scope -> scope.bind(client)).orElse(client);
  }

  @Override
  public <S extends HasMetadata> List<S> secondaries(Class<S> type) {
    return circumstances.tools().secondaries(type, request());
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
    return circumstances.reasons().stream().map(Object::toString).toList();
  }

  /** Returns why it was queued. */
  List<Object> causes() {
    return circumstances.reasons();
  }

  @Override
  public Priority priority() {
    return circumstances.priority();
  }

  @Override
  public Optional<Duration> timeLeft() {
    if (circumstances.timeout().isZero()) {
      return Optional.empty();
    }
    Duration left = circumstances.timeout().minus(elapsed());
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
    return writes.isPresent() ? writes.get().call(task) : task.call();
  }

  @Override
  public void run(Runnable task) {
    if (writes.isPresent()) {
      writes.get().run(task);
    } else {
      task.run();
    }
  }

  private void runSafely(Runnable action) {
    try {
      run(action);
    } catch (Throwable t) { // user code; the other actions still run
      log.error("A cancellation callback of a reconcile failed", OneLine.of(t));
    }
  }

  @Override
  public String toString() {
    return "reconcile " + reconcileId() + " of '" + request() + "'";
  }
}
