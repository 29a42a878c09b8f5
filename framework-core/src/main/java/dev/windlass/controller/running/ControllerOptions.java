// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.events.EventRecorder;
import dev.windlass.time.DurationText;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code Controller} that have defaults. Immutable.
 *
 * @param maxConcurrentReconciles how many objects may be reconciled at the same time, at least 1;
 *     default 1 (controller-runtime)
 * @param reconcileTimeout the time after which a reconcile is cancelled and its thread interrupted;
 *     zero, the default, for never (controller-runtime)
 * @param slowAfter how long a reconcile may run before a warning names it and the code location of
 *     its thread. The warning is repeated each time the run time has doubled. Default 5 min
 * @param syncTimeout how long sources may take to sync before a warning names those that have not;
 *     default 2 min (controller-runtime's {@code CacheSyncTimeout}). They keep trying
 * @param failOnSyncTimeout whether the controller and its manager fail instead after that time;
 *     default false
 * @param errorPolicy decides what happens to failed requests; default {@link ErrorPolicy#DEFAULT}
 * @param loopDetection whether requests that run often are reported, and proven reconcile loops
 *     limited to one run per second; default true
 * @param threads creates the workers; null, the default, for the manager's factory. Virtual threads
 *     are supported
 * @param eventRecorder records a Warning Event {@code Undecodable} for each object that does not
 *     fit its class, once until the object changes; null, the default, to log only, because Events
 *     require rights
 * @param limit a limit shared with other controllers; null, the default, for none
 * @param minimumInterval the minimum time between the starts of two runs for one request; zero, the
 *     default, for none
 */
public record ControllerOptions(
    int maxConcurrentReconciles,
    Duration reconcileTimeout,
    Duration slowAfter,
    Duration syncTimeout,
    boolean failOnSyncTimeout,
    ErrorPolicy errorPolicy,
    boolean loopDetection,
    @Nullable ThreadFactory threads,
    @Nullable EventRecorder eventRecorder,
    @Nullable ReconcileSemaphore limit,
    Duration minimumInterval) {

  private static final ControllerOptions DEFAULTS =
      new ControllerOptions(
          1,
          Duration.ZERO,
          Duration.ofMinutes(5),
          Duration.ofMinutes(2),
          false,
          ErrorPolicy.DEFAULT,
          true,
          null,
          null,
          null,
          Duration.ZERO);

  /** Rejects invalid values; the message names them. */
  public ControllerOptions {
    if (maxConcurrentReconciles < 1) {
      throw new IllegalArgumentException(
          "a controller needs at least one worker, not " + maxConcurrentReconciles);
    }
    if (reconcileTimeout.isNegative()) {
      throw new IllegalArgumentException(
          "reconcileTimeout must not be negative: "
              + DurationText.of(reconcileTimeout)
              + "; use Duration.ZERO for never");
    }
    if (minimumInterval.isNegative()) {
      throw new IllegalArgumentException(
          "minimumInterval must not be negative: "
              + DurationText.of(minimumInterval)
              + "; use Duration.ZERO for none");
    }
    requirePositive(slowAfter, "slowAfter");
    requirePositive(syncTimeout, "syncTimeout");
  }

  private static void requirePositive(Duration value, String name) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          name + " must be more than zero: " + DurationText.of(value));
    }
  }

  /** Returns the defaults. */
  public static ControllerOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a copy with another number of workers. */
  public ControllerOptions withMaxConcurrentReconciles(int number) {
    return new ControllerOptions(
        number,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with another time-out for reconciles; zero for none. */
  public ControllerOptions withReconcileTimeout(Duration timeout) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        timeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with another time after which a reconcile counts as slow. */
  public ControllerOptions withSlowAfter(Duration duration) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        duration,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with another time-out for sources to sync. */
  public ControllerOptions withSyncTimeout(Duration timeout) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        timeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with which the controller fails if sources have not synced in time. */
  public ControllerOptions withFailOnSyncTimeout() {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        true,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with another error policy. */
  public ControllerOptions withErrorPolicy(ErrorPolicy policy) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        policy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with loop detection enabled or disabled. */
  public ControllerOptions withLoopDetection(boolean detect) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        detect,
        threads,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with another factory for workers. */
  public ControllerOptions withThreads(ThreadFactory factory) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        factory,
        eventRecorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy that records a Warning Event for each object that can't be decoded. */
  public ControllerOptions withEventRecorder(EventRecorder recorder) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        recorder,
        limit,
        minimumInterval);
  }

  /** Returns a copy with a limit that is shared with other controllers. */
  public ControllerOptions withLimit(ReconcileSemaphore shared) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        shared,
        minimumInterval);
  }

  /** Returns a copy with another minimum interval between two runs for one request. */
  public ControllerOptions withMinimumInterval(Duration interval) {
    return new ControllerOptions(
        maxConcurrentReconciles,
        reconcileTimeout,
        slowAfter,
        syncTimeout,
        failOnSyncTimeout,
        errorPolicy,
        loopDetection,
        threads,
        eventRecorder,
        limit,
        interval);
  }
}
