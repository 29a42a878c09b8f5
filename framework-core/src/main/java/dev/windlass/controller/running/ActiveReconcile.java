// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.Client;
import dev.windlass.client.WriteScope;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reporting.ControllerLog;
import dev.windlass.object.OneLine;
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
 * One reconcile that runs: what it may know of itself, and how it is cut short.
 *
 * <p>It is cancelled at most once, and its thread is interrupted only while it runs, so that an
 * interrupt never hits the next one on the same thread.
 */
public final class ActiveReconcile implements ReconcileContext {

  private static final Logger log = ControllerLog.get();

  /**
   * What is known at the beginning.
   *
   * @param timeout zero for none
   * @param tools what it works with
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

  /** As whom it writes: empty only in tests, where no controller runs it. */
  private final Optional<WriteScope> writes = WriteScope.current();

  private final long startedAt;

  private volatile boolean cancelled;
  private volatile boolean timedOut;
  private volatile boolean stuck;
  private volatile boolean leftAlone;

  /** When it is to be named as slow the next time; used by the watchdog, one look at a time. */
  private Duration slowAt;

  @GuardedBy("this")
  private boolean interrupted;

  @GuardedBy("this")
  private boolean ended;

  @GuardedBy("this")
  private final List<Runnable> onCancel = new ArrayList<>(0);

  /**
   * Begins now, on the current thread.
   *
   * @param slowAfter when it is to be named as slow
   * @param errands do what it wants done when it is cancelled
   * @param passOn gives its turn among all reconciles to another one
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

  /** How long it has run. */
  public Duration elapsed() {
    return Duration.ofNanos(scheduler.nanoTime() - startedAt);
  }

  /** Whether its own time-out has ended it, and nothing else did before. */
  public boolean timedOut() {
    return timedOut;
  }

  /** Whether it goes on though it was interrupted a while ago. */
  public boolean stuck() {
    return stuck;
  }

  Duration slowAt() {
    return slowAt;
  }

  void slowAt(Duration elapsed) {
    slowAt = elapsed;
  }

  /** Whether everything has been done about it. */
  boolean isLeftAlone() {
    return leftAlone;
  }

  void leaveAlone() {
    leftAlone = true;
  }

  /** Another worker has taken the place of its own, and takes its turn, too. */
  void passOn() {
    passOn.run();
  }

  /** It does not react. */
  void markStuck() {
    stuck = true;
  }

  /** Asks it to come to an end, and waits for nothing. */
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
   * Its own time is up: cancels and interrupts it.
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
   * Interrupts its thread, at most once, and cancels it before: whoever is interrupted must find
   * {@link #isCancelled()} true, or the usual loop around a blocking call goes on for good.
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

  /** Whether it was interrupted. */
  synchronized boolean wasInterrupted() {
    return interrupted;
  }

  /** It has returned; from now on nothing reaches its thread. */
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

  /** Why it was queued. */
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
    } catch (Throwable t) { // user code; what else is to be done is done
      log.error("What a reconcile wanted done on its cancellation failed", OneLine.of(t));
    }
  }

  @Override
  public String toString() {
    return "reconcile " + reconcileId() + " of '" + request() + "'";
  }
}
