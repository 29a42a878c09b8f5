// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.client.WriteScope;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.loops.ObjectStates;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.time.Scheduler;
import dev.windlass.workqueue.WorkQueueOptions;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * What a {@code ControllerBuilder} has found out, frozen.
 *
 * @param listener counts, and tells the listeners of the user
 * @param states what the controller's caches hold
 * @param tools what its reconciles work with
 * @param leading whether, and how, it depends on leadership
 * @param onFailure hears of the failure that ends the controller, if its options let it fail
 */
public record ControllerConfig(
    String name,
    String kind,
    List<Source> sources,
    Reconciler reconciler,
    ControllerOptions options,
    WorkQueueOptions<Request> queue,
    ControllerListener listener,
    ObjectStates states,
    ReconcileTools tools,
    Leadership leading,
    Consumer<Throwable> onFailure,
    Scheduler scheduler,
    ThreadFactory threads,
    RandomGenerator random) {

  /** As whom its reconciles write. */
  WriteScope writes() {
    return new WriteScope(name, leading.fence(), states::made);
  }

  /** Makes the workers. */
  ThreadFactory workerThreads() {
    ThreadFactory own = options.threads();
    return own == null ? threads : own;
  }

  /** The same with other states. */
  public ControllerConfig withStates(ObjectStates others) {
    return new ControllerConfig(
        name,
        kind,
        sources,
        reconciler,
        options,
        queue,
        listener,
        others,
        tools,
        leading,
        onFailure,
        scheduler,
        threads,
        random);
  }
}
