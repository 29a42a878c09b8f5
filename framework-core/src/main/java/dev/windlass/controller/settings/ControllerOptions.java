// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

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
 * The settings of a {@code Controller} that have defaults. {@link #with} returns a modified copy;
 * nothing else changes an instance.
 */
public final class ControllerOptions implements Cloneable {

  /**
   * The maximum number of workers, unless the controller has its own thread factory: 1,000. Each
   * worker is a thread, and by default an API server processes 600 requests at the same time.
   */
  public static final int MAX_WORKERS = 1000;

  /**
   * The maximum number of concurrent reconciles, at least 1, and at most {@link #MAX_WORKERS}
   * without {@link #threads}. The default is 1, as in controller-runtime.
   */
  public int maxConcurrentReconciles = 1;

  /**
   * The time after which a reconcile is cancelled and its thread interrupted. Zero, the default,
   * disables the time-out, as in controller-runtime.
   */
  public Duration reconcileTimeout = Duration.ZERO;

  /**
   * The run time after which a reconcile counts as slow. A warning then names the reconcile and the
   * code location of its thread. The warning is repeated each time the run time has doubled.
   */
  public Duration slowAfter = Duration.ofMinutes(5);

  /**
   * The time after which a warning names the sources that have not synced. The controller continues
   * to retry these sources. The default is that of controller-runtime ({@code CacheSyncTimeout}).
   */
  public Duration syncTimeout = Duration.ofMinutes(2);

  /**
   * Whether the controller and its manager fail if a source has not synced within {@link
   * #syncTimeout}.
   */
  public boolean failOnSyncTimeout;

  public ErrorPolicy errorPolicy = ErrorPolicy.DEFAULT;

  /**
   * The interval at which a request is retried after the controller has given up on it. Zero, the
   * default, disables these retries.
   */
  public Duration retryAfterGivingUp = Duration.ZERO;

  /**
   * Whether the controller reports requests that run often, and those that are proven to be in a
   * reconcile loop.
   */
  public boolean loopDetection = true;

  /**
   * The factory of the worker threads, which can create virtual threads. Null, the default, selects
   * the manager's factory.
   */
  public @Nullable ThreadFactory threads;

  /**
   * The recorder for the controller's own Events, such as the Warning Event {@code
   * ReconcileFailed}. Null, the default, selects the manager's recorder for the controller's name.
   */
  public @Nullable EventRecorder eventRecorder;

  /** A limit on concurrent reconciles that is shared with other controllers; null for none. */
  public @Nullable ReconcileSemaphore limit;

  /**
   * The minimum time between the starts of a request's consecutive runs. Zero, the default, sets no
   * minimum.
   */
  public Duration minimumInterval = Duration.ZERO;

  /** Whether to ignore events that only report a write by a reconcile of the same object. */
  public boolean ignoreOwnEvents;

  /** Other field owners, whose fields the controller's applies take over. */
  public Set<String> formerFieldOwners = Set.of();

  /** The annotation that pauses an object; null, the default, if no object can be paused. */
  public @Nullable String pausedBy;

  private ControllerOptions() {}

  public static ControllerOptions defaults() {
    return new ControllerOptions();
  }

  /**
   * Returns a copy of these options, after the given change of its fields.
   *
   * @throws IllegalArgumentException if a value is invalid; the message identifies the value
   */
  public ControllerOptions with(Consumer<ControllerOptions> change) {
    try {
      ControllerOptions copy = (ControllerOptions) clone();
      change.accept(copy);
      copy.check();
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  private void check() {
    if (maxConcurrentReconciles < 1) {
      throw new IllegalArgumentException(
          "a controller needs at least one worker, not " + maxConcurrentReconciles);
    }
    requireNotNegative(reconcileTimeout, "reconcileTimeout", "never");
    requireNotNegative(minimumInterval, "minimumInterval", "none");
    requireNotNegative(retryAfterGivingUp, "retryAfterGivingUp", "never");
    requirePositive(slowAfter, "slowAfter");
    requirePositive(syncTimeout, "syncTimeout");
  }

  private static void requireNotNegative(Duration value, String name, String zero) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(
          "%s must not be negative: %s; use Duration.ZERO for %s"
              .formatted(name, DurationText.of(value), zero));
    }
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
}
