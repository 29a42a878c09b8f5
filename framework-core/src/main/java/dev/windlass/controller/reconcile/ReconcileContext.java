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
 * The context of one reconcile. Any thread that performs work for the reconcile can use the context
 * until the reconcile returns.
 *
 * <p>The reconciling thread's logging context (SLF4J's MDC) contains {@code controller}, {@code
 * namespace}, {@code name} and {@code reconcileId}. It also contains {@code cluster} if the object
 * is not in the program's own cluster. When the reconcile returns, the controller removes the
 * entries that the reconcile has added.
 */
public interface ReconcileContext {

  /**
   * Returns this reconcile's client for the request's cluster. The client reads from the caches,
   * overlaid with this process's own writes. It applies objects with the controller's name as the
   * field manager. If the controller requires a lease, writes throw {@link
   * dev.windlass.leader.LeadershipLostException} while this replica does not hold the lease. The
   * client behaves in the same way on every thread.
   */
  Client client();

  /**
   * Returns the objects of the given type that the reconciled object controls, including this
   * process's own writes. If the cache stores only part of each object, such as the metadata, the
   * returned objects contain only this part. {@code Client.update} rejects such objects.
   *
   * @param type a type that was passed to {@code ControllerBuilder.owns}
   * @throws IllegalArgumentException if the type was not passed to {@code owns}, or if the owned
   *     objects are in a different cluster from the reconciled object
   * @throws dev.windlass.object.UndecodableException if one of these objects cannot be decoded into
   *     its class; objects of other owners have no effect
   */
  <S extends HasMetadata> List<S> secondaries(Class<S> type);

  /**
   * Returns the single object of the given type that the reconciled object controls, or empty if
   * there is none.
   *
   * @throws IllegalStateException if the reconciled object controls several objects of the type
   * @throws IllegalArgumentException under the same conditions as {@link #secondaries}
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

  /** Returns the UUID of this run. Log lines contain it as {@code reconcileId}. */
  String reconcileId();

  /**
   * Returns the number of consecutive previous runs of this request that failed or requested
   * another run with back-off.
   */
  int attempt();

  /**
   * Returns the reasons why the request was queued, most recent last. A reason is either an event
   * or an earlier run that requested this one. Use reasons only for logs and diagnosis, because
   * they can be missing and differ after a restart. Base decisions on the current state instead.
   */
  List<String> reasons();

  /**
   * Returns the priority with which the request was queued. If this run requests another run, the
   * next run has the same priority unless {@link Result#withPriority} sets a different one.
   */
  Priority priority();

  /**
   * Returns the time that remains until this reconcile times out, or empty if the controller has no
   * time-out. The time is never negative.
   */
  Optional<Duration> timeLeft();

  /**
   * Returns whether this reconcile has been cancelled because the controller is being stopped or
   * the reconcile has timed out. A cancelled reconcile should return as soon as possible. A
   * time-out also interrupts the reconcile's thread.
   */
  boolean isCancelled();

  /**
   * Registers an action to run on a separate thread when this reconcile is cancelled. If it has
   * already been cancelled, the action runs immediately on the calling thread. Use an action to end
   * an operation that does not respond to interruption, such as a read from a socket.
   *
   * @param action the action; the controller logs its exceptions. It should be short and should not
   *     block, because a stopping controller waits for actions as well as for reconciles
   */
  void onCancel(Runnable action);

  /**
   * Runs a task on the current thread as a part of this reconcile. Within the task, all of the
   * manager's clients, such as its fabric8 client, write on behalf of this controller. Use this
   * method on threads other than the reconcile's own. The client that {@link #client()} returns
   * does not need this method on any thread.
   *
   * <pre>{@code
   * executor.submit(() -> context.call(() -> manager.kubernetesClient().resource(wanted).serverSideApply()));
   * }</pre>
   */
  <V> V call(Callable<V> task) throws Exception;

  /**
   * Runs a task that has no result. In all other respects, this method behaves like {@link #call}.
   */
  void run(Runnable task);
}
