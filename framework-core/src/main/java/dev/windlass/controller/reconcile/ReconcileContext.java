// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reconcile;

import dev.windlass.client.Client;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.Priority;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The context of one reconcile. Any thread that works for the reconcile may use it until the
 * reconcile returns.
 *
 * <p>The logging context (SLF4J's MDC) of the reconciling thread contains {@code controller},
 * {@code namespace}, {@code name} and {@code reconcileId}, and {@code cluster} if the object is not
 * in the program's own cluster. Entries that a reconcile adds are cleared when it returns.
 */
public interface ReconcileContext {

  /**
   * Returns the client of this reconcile, which talks to the cluster of the request. It reads from
   * the caches, including its own writes. Applies use the name of the controller as the field
   * owner. Writes succeed only while the lease under which the controller runs is held; otherwise
   * they throw {@link dev.windlass.leader.LeadershipLostException}. This is the same on every
   * thread.
   */
  Client client();

  /**
   * Returns the objects of a type that the reconciled object controls, including own writes. Each
   * object contains only the part that its cache keeps; {@code update} rejects incomplete objects.
   *
   * @param type a type that was passed to {@code ControllerBuilder.owns}
   * @throws IllegalArgumentException if it was not, or if the request is for a different cluster
   *     than the owned objects
   */
  <S extends HasMetadata> List<S> secondaries(Class<S> type);

  /**
   * Returns the only object of a type that the reconciled object controls; empty if there is none.
   *
   * @throws IllegalStateException if there are several
   * @throws IllegalArgumentException as for {@link #secondaries}
   */
  default <S extends HasMetadata> Optional<S> secondary(Class<S> type) {
    List<S> found = secondaries(type);
    if (found.size() > 1) {
      throw new IllegalStateException(
          "the object controls %d objects of the type %s, such as %s and %s: use secondaries(...)"
              .formatted(
                  found.size(),
                  type.getSimpleName(),
                  ObjectKey.of(found.get(0)),
                  ObjectKey.of(found.get(1))));
    }
    return found.stream().findFirst();
  }

  /** Returns the identifier of this run for logs: a UUID. */
  String reconcileId();

  /**
   * Returns how many consecutive runs for the request before this one have failed or requested to
   * be repeated.
   */
  int attempt();

  /**
   * Returns the reasons why the request was queued, most recent last: events, and earlier runs that
   * requested another run. For logs and diagnosis only. Reasons can be missing and would differ
   * after a restart, so decisions must not depend on them; look at the current state instead.
   */
  List<String> reasons();

  /**
   * Returns the priority with which the request was queued. A follow-up run requested by this one
   * has the same priority, unless {@link Result#withPriority} sets another.
   */
  Priority priority();

  /**
   * Returns the time left before the controller's time-out cancels this reconcile; empty if there
   * is no time-out. Never negative.
   */
  Optional<Duration> timeLeft();

  /**
   * Returns whether the reconcile should return: the controller is being stopped, or the reconcile
   * has timed out. In the latter case its thread was also interrupted.
   */
  boolean isCancelled();

  /**
   * Registers an action to run on a separate thread when this reconcile is cancelled. If it has
   * already been cancelled, the action runs immediately on the calling thread. Use it to end
   * operations that do not react to an interrupt, such as a socket.
   *
   * @param action preferably short and non-blocking: a stop waits for it as it waits for
   *     reconciles; its exceptions are logged
   */
  void onCancel(Runnable action);

  /**
   * Runs a task on the current thread as a part of this reconcile. The reconcile's own thread does
   * not need this call, and {@link #client()} does not need it on any thread. Other clients of the
   * manager, such as the fabric8 client, write as this controller on another thread only within
   * this call.
   *
   * <pre>{@code
   * executor.submit(() -> context.call(() -> manager.kubernetesClient().resource(wanted).serverSideApply()));
   * }</pre>
   */
  <V> V call(Callable<V> task) throws Exception;

  /** Same as {@link #call}, for a task without a result. */
  void run(Runnable task);
}
