// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.events.EventRecorder;
import dev.windlass.scheduling.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@code Controller} that have defaults. Instances are immutable.
 *
 * @param maxConcurrentReconciles the maximum number of concurrent reconciles, at least 1, and at
 *     most {@link #MAX_WORKERS} without {@code threads}. The default is 1, as in controller-runtime
 * @param reconcileTimeout the time after which a reconcile is cancelled and its thread interrupted.
 *     The default is zero, which disables the time-out, as in controller-runtime
 * @param slowAfter the run time after which a reconcile counts as slow. A warning then names the
 *     reconcile and the code location of its thread. The warning is repeated each time the run time
 *     has doubled. The default is 5 min
 * @param syncTimeout the time after which a warning names the sources that have not synced. The
 *     controller continues to retry these sources. The default is 2 min, as in controller-runtime
 *     ({@code CacheSyncTimeout})
 * @param failOnSyncTimeout whether the controller and its manager fail if a source has not synced
 *     within {@code syncTimeout}. The default is false
 * @param errorPolicy the policy for failed requests. The default is {@link ErrorPolicy#DEFAULT}
 * @param retryAfterGivingUp the interval at which a request is retried after the controller has
 *     given up on it. The default is zero, which disables these retries
 * @param loopDetection whether the controller reports requests that run often, and those that are
 *     proven to be in a reconcile loop. The default is true
 * @param threads the factory of the worker threads, which can create virtual threads. The default
 *     is null, which selects the manager's factory
 * @param eventRecorder the recorder for the controller's own Events, such as the Warning Event
 *     {@code ReconcileFailed}. The default is null, which selects the manager's recorder for the
 *     controller's name
 * @param limit a limit on concurrent reconciles that is shared with other controllers. The default
 *     is null, which sets no shared limit
 * @param minimumInterval the minimum time between the starts of a request's consecutive runs. The
 *     default is zero, which sets no minimum
 * @param ignoreOwnEvents whether to ignore events that only report a write by a reconcile of the
 *     same object. The default is false
 * @param formerFieldOwners other field owners, whose fields the controller's applies take over. The
 *     default is empty
 * @param pausedBy the annotation that pauses an object. The default is null, so that no object can
 *     be paused
 */
public record ControllerOptions(
    int maxConcurrentReconciles,
    Duration reconcileTimeout,
    Duration slowAfter,
    Duration syncTimeout,
    boolean failOnSyncTimeout,
    ErrorPolicy errorPolicy,
    Duration retryAfterGivingUp,
    boolean loopDetection,
    @Nullable ThreadFactory threads,
    @Nullable EventRecorder eventRecorder,
    @Nullable ReconcileSemaphore limit,
    Duration minimumInterval,
    boolean ignoreOwnEvents,
    Set<String> formerFieldOwners,
    @Nullable String pausedBy) {

  /**
   * The maximum number of workers, unless the controller has its own thread factory: 1,000. Each
   * worker is a thread, and by default an API server processes 600 requests at the same time.
   */
  public static final int MAX_WORKERS = 1000;

  private static final ControllerOptions DEFAULTS =
      new ControllerOptions(
          1,
          Duration.ZERO,
          Duration.ofMinutes(5),
          Duration.ofMinutes(2),
          false,
          ErrorPolicy.DEFAULT,
          Duration.ZERO,
          true,
          null,
          null,
          null,
          Duration.ZERO,
          false,
          Set.of(),
          null);

  /**
   * Creates options.
   *
   * @throws IllegalArgumentException if a value is invalid; the message identifies the value
   */
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
    if (retryAfterGivingUp.isNegative()) {
      throw new IllegalArgumentException(
          "retryAfterGivingUp must not be negative: "
              + DurationText.of(retryAfterGivingUp)
              + "; use Duration.ZERO for never");
    }
    formerFieldOwners = Set.copyOf(formerFieldOwners);
    requirePositive(slowAfter, "slowAfter");
    requirePositive(syncTimeout, "syncTimeout");
  }

  private static void requirePositive(Duration value, String name) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(
          name + " must be more than zero: " + DurationText.of(value));
    }
  }

  /**
   * Returns why a controller must not start with these options, or empty if it can. The reason
   * completes a sentence that begins with the name of the controller.
   */
  public Optional<String> refusal() {
    return threads != null || maxConcurrentReconciles <= MAX_WORKERS
        ? Optional.empty()
        : Optional.of(
            "can't have %d workers, because each is a thread: use at most %d (--workers, maxConcurrentReconciles), or give workerThreads(...) a factory of virtual threads"
                .formatted(maxConcurrentReconciles, MAX_WORKERS));
  }

  /** Returns the default options. */
  public static ControllerOptions defaults() {
    return DEFAULTS;
  }

  /** Returns a copy of these options with the given maximum number of concurrent reconciles. */
  public ControllerOptions withMaxConcurrentReconciles(int number) {
    return with(draft -> draft.maxConcurrentReconciles = number);
  }

  /**
   * Returns a copy of these options with the given time-out for reconciles; zero disables the
   * time-out.
   */
  public ControllerOptions withReconcileTimeout(Duration timeout) {
    return with(draft -> draft.reconcileTimeout = timeout);
  }

  /**
   * Returns a copy of these options with the given run time after which a reconcile counts as slow.
   */
  public ControllerOptions withSlowAfter(Duration duration) {
    return with(draft -> draft.slowAfter = duration);
  }

  /** Returns a copy of these options with the given time-out for sources to sync. */
  public ControllerOptions withSyncTimeout(Duration timeout) {
    return with(draft -> draft.syncTimeout = timeout);
  }

  /**
   * Returns a copy of these options that makes the controller fail if a source has not synced
   * within its time-out.
   */
  public ControllerOptions withFailOnSyncTimeout() {
    return with(draft -> draft.failOnSyncTimeout = true);
  }

  /** Returns a copy of these options with the given error policy. */
  public ControllerOptions withErrorPolicy(ErrorPolicy policy) {
    return with(draft -> draft.errorPolicy = policy);
  }

  /** Returns a copy of these options with the given {@link #retryAfterGivingUp}. */
  public ControllerOptions withRetryAfterGivingUp(Duration interval) {
    return with(draft -> draft.retryAfterGivingUp = interval);
  }

  /** Returns a copy of these options with loop detection enabled or disabled. */
  public ControllerOptions withLoopDetection(boolean detect) {
    return with(draft -> draft.loopDetection = detect);
  }

  /** Returns a copy of these options with the given factory of worker threads. */
  public ControllerOptions withThreads(ThreadFactory factory) {
    return with(draft -> draft.threads = factory);
  }

  /** Returns a copy of these options with the given recorder for the controller's own Events. */
  public ControllerOptions withEventRecorder(EventRecorder recorder) {
    return with(draft -> draft.eventRecorder = recorder);
  }

  /**
   * Returns a copy of these options with the given limit on concurrent reconciles. The limit is
   * shared with other controllers.
   */
  public ControllerOptions withLimit(ReconcileSemaphore shared) {
    return with(draft -> draft.limit = shared);
  }

  /**
   * Returns a copy of these options with the given minimum interval between the starts of a
   * request's consecutive runs.
   */
  public ControllerOptions withMinimumInterval(Duration interval) {
    return with(draft -> draft.minimumInterval = interval);
  }

  /**
   * Returns a copy of these options that makes the controller ignore events that only report its
   * own writes; see {@link #ignoreOwnEvents}.
   */
  public ControllerOptions withIgnoreOwnEvents() {
    return with(draft -> draft.ignoreOwnEvents = true);
  }

  /** Returns a copy of these options with the given {@link #formerFieldOwners}. */
  public ControllerOptions withFormerFieldOwners(Set<String> owners) {
    return with(draft -> draft.formerFieldOwners = owners);
  }

  /** Returns a copy of these options with the given {@link #pausedBy}. */
  public ControllerOptions withPausedBy(@Nullable String annotation) {
    return with(draft -> draft.pausedBy = annotation);
  }

  private ControllerOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.build();
  }

  /** A modifiable copy of the options. */
  private static final class Draft {
    private int maxConcurrentReconciles;
    private Duration reconcileTimeout;
    private Duration slowAfter;
    private Duration syncTimeout;
    private boolean failOnSyncTimeout;
    private ErrorPolicy errorPolicy;
    private Duration retryAfterGivingUp;
    private boolean loopDetection;
    private @Nullable ThreadFactory threads;
    private @Nullable EventRecorder eventRecorder;
    private @Nullable ReconcileSemaphore limit;
    private Duration minimumInterval;
    private boolean ignoreOwnEvents;
    private Set<String> formerFieldOwners;
    private @Nullable String pausedBy;

    Draft(ControllerOptions from) {
      this.maxConcurrentReconciles = from.maxConcurrentReconciles;
      this.reconcileTimeout = from.reconcileTimeout;
      this.slowAfter = from.slowAfter;
      this.syncTimeout = from.syncTimeout;
      this.failOnSyncTimeout = from.failOnSyncTimeout;
      this.errorPolicy = from.errorPolicy;
      this.retryAfterGivingUp = from.retryAfterGivingUp;
      this.loopDetection = from.loopDetection;
      this.threads = from.threads;
      this.eventRecorder = from.eventRecorder;
      this.limit = from.limit;
      this.minimumInterval = from.minimumInterval;
      this.ignoreOwnEvents = from.ignoreOwnEvents;
      this.formerFieldOwners = from.formerFieldOwners;
      this.pausedBy = from.pausedBy;
    }

    ControllerOptions build() {
      return new ControllerOptions(
          maxConcurrentReconciles,
          reconcileTimeout,
          slowAfter,
          syncTimeout,
          failOnSyncTimeout,
          errorPolicy,
          retryAfterGivingUp,
          loopDetection,
          threads,
          eventRecorder,
          limit,
          minimumInterval,
          ignoreOwnEvents,
          formerFieldOwners,
          pausedBy);
    }
  }
}
