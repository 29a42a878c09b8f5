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
 * The circumstances of one reconcile. May be used by any thread that works for the reconcile, until
 * that returns.
 *
 * <p>The logging context (SLF4J's MDC) of the reconciling thread has {@code controller}, {@code
 * namespace}, {@code name} and {@code reconcileId}, and {@code cluster} if that is another one;
 * whatever a reconcile adds to it is cleared when it returns.
 */
public interface ReconcileContext {

  /**
   * Returns the client of this reconcile, which talks to the cluster of the request. It reads from
   * the caches and reads its own writes. It applies under the name of the controller as the field
   * owner, and writes only while the lease under which the controller runs is held; otherwise it
   * throws {@link dev.windlass.leader.LeadershipLostException}. All of this holds on any thread.
   */
  Client client();

  /**
   * Returns the objects of a type that the reconciled object controls, own writes included; of each
   * as much as its cache keeps. One that lacks something can't be sent back by {@code update}.
   *
   * @param type given to {@code ControllerBuilder.owns}
   * @throws IllegalArgumentException if it was not, or the request is of another cluster than what
   *     the controller owns
   */
  <S extends HasMetadata> List<S> secondaries(Class<S> type);

  /**
   * Returns the one object of a type that the reconciled object controls; empty if there is none.
   *
   * @throws IllegalStateException if there are several
   * @throws IllegalArgumentException as {@link #secondaries}
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

  /**
   * The priority under which the request waited. A run that this one leads to has the same, unless
   * {@link Result#withPriority} says otherwise.
   */
  Priority priority();

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
   * itself needs no call. {@link #client()} needs none on any thread. Other clients of the manager,
   * such as the fabric8 client, write as this controller on another thread only inside of this.
   *
   * <pre>{@code
   * executor.submit(() -> context.call(() -> manager.kubernetesClient().resource(wanted).serverSideApply()));
   * }</pre>
   */
  <V> V call(Callable<V> task) throws Exception;

  /** As {@link #call}, of a task without a result. */
  void run(Runnable task);
}
