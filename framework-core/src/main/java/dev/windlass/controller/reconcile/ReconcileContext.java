// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The circumstances of one reconcile. May be used by any thread that works for the reconcile, until
 * that returns.
 *
 * <p>The logging context (SLF4J's MDC) of the reconciling thread has {@code controller}, {@code
 * namespace}, {@code name} and {@code reconcileId}; whatever a reconcile adds to it is cleared when
 * it returns.
 */
public interface ReconcileContext {

  /** Identifies this one run, for logs: a UUID. */
  String reconcileId();

  /**
   * How many runs for the request have failed, or asked to be repeated, in a row before this one.
   */
  int attempt();

  /**
   * Why the request was queued, the most recent reason last: events, and runs that wanted another.
   * For logs and diagnosis only. Reasons may be missing, and decisions must not depend on them,
   * because the next run, after a restart, would have others; look at how things are instead.
   */
  List<String> reasons();

  /** The priority under which the request waited. A run that it leads to has the same. */
  Priority priority();

  /** Gives another priority to the run that this one leads to: a requeue or a retry. */
  void nextPriority(Priority priority);

  /**
   * How much time is left before the time-out of the controller cancels this reconcile; empty if
   * there is no time-out. Never negative.
   */
  Optional<Duration> timeLeft();

  /**
   * Whether the reconcile should come to an end: the controller is being stopped, or the time is
   * up. In the latter case the thread was also interrupted.
   */
  boolean isCancelled();

  /**
   * Has something done when this reconcile is cancelled, on a thread of its own; at once, on the
   * calling thread, if it was cancelled already. To end what an interrupt does not reach, such as a
   * socket.
   *
   * @param action best short and non-blocking: a stop waits for it as it waits for reconciles; what
   *     it throws is logged
   */
  void onCancel(Runnable action);

  /**
   * Runs a task on the current thread as a part of this reconcile. The thread of the reconcile
   * itself needs no call. On any other thread, clients of the manager write as this controller only
   * inside of this: under its name as the field owner, and fenced by its lease.
   *
   * <pre>{@code
   * executor.submit(() -> context.call(() -> client.apply(wanted)));
   * }</pre>
   */
  <V> V call(Callable<V> task) throws Exception;

  /** As {@link #call}, of a task without a result. */
  void run(Runnable task);
}
