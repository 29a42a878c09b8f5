// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.events.EventRecorder;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.WorkQueueOptions;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The configuration that a {@code ControllerBuilder} has assembled. Instances are immutable.
 *
 * @param name the controller's name
 * @param kind the primary type's kind, or the controller's name if there is no primary type
 * @param sources the sources of requests, beginning with the primary type's source
 * @param reconciler the reconciler, wrapped for finalizers and observation
 * @param options the options set in the builder
 * @param queue the options of the work queue
 * @param listener the listener that records metrics and notifies the user's listeners
 * @param lookup provides the objects in the controller's caches
 * @param accepts tests whether a request is in the controller's namespaces; null if the namespaces
 *     never change
 * @param access gives the controller's reconciles access to objects
 * @param leading specifies how the controller depends on leader election
 * @param onFailure receives an exception if {@link ControllerOptions#failOnSyncTimeout} is set and
 *     a source has not synced in time
 * @param scheduler the clock and the timer of the controller
 * @param threads the factory of the controller's threads; the options can set a different factory
 *     for the workers
 * @param random the generator of random numbers
 */
public record ControllerConfig(
    String name,
    String kind,
    List<Source> sources,
    Reconciler reconciler,
    ControllerOptions options,
    WorkQueueOptions<Request> queue,
    ControllerListener listener,
    ObjectLookup lookup,
    @Nullable Predicate<Request> accepts,
    ObjectAccess access,
    LeadershipRequirement leading,
    Consumer<Throwable> onFailure,
    Scheduler scheduler,
    ThreadFactory threads,
    RandomGenerator random) {

  /** Returns whether a request is in the controller's namespaces. */
  public boolean isAccepted(Request request) {
    return accepts == null || accepts.test(request);
  }

  public EventRecorder recorder() {
    EventRecorder chosen = options.eventRecorder;
    return chosen == null ? EventRecorder.NONE : chosen;
  }

  public ThreadFactory workerThreads() {
    ThreadFactory own = options.threads;
    return own == null ? threads : FatalErrors.reporting(own, onFailure);
  }
}
