// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of a controller. Immutable.
 *
 * @param name the name of the controller
 * @param ready whether its workers are running; false on a replica that does not lead
 * @param synced whether its sources have synced
 * @param problem the problems of sources and workers; empty if there are none
 * @param workers how many keys may be processed at a time
 * @param queued how many keys are ready, by priority: {@code normal}, {@code low}, or the handicap
 *     of another priority
 * @param delayed how many keys wait for a delay or back-off to end
 * @param longestWait how long the oldest ready key has been waiting
 * @param inWork the keys being processed, longest first, at most 100
 * @param failing the keys whose last reconcile failed, latest first, at most 100
 */
public record ControllerDiagnosis(
    String name,
    boolean ready,
    boolean synced,
    Optional<String> problem,
    int workers,
    Map<String, Integer> queued,
    int delayed,
    Duration longestWait,
    List<KeyInWork> inWork,
    List<FailingKey> failing) {

  /** Copies the collections. */
  public ControllerDiagnosis {
    queued = Collections.unmodifiableMap(new LinkedHashMap<>(queued));
    inWork = List.copyOf(inWork);
    failing = List.copyOf(failing);
  }

  /**
   * A key whose last reconcile failed. Immutable.
   *
   * @param key the key of the object
   * @param error the exception that the reconcile threw, on one line of at most 300 characters
   * @param times the number of consecutive failures
   * @param ago how long ago it last failed
   * @param retryIn the time until the next attempt; empty if the key is ready, being processed, or
   *     not retried
   * @param reasons the most recent reasons why the key is queued
   */
  public record FailingKey(
      String key,
      String error,
      int times,
      Duration ago,
      Optional<Duration> retryIn,
      List<String> reasons) {

    /** Copies the reasons. */
    public FailingKey {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * A key that is being processed. Immutable.
   *
   * @param key the key of the object
   * @param reconcileId identifies the run, as in the log
   * @param elapsed how long the reconcile has been running
   * @param attempt how many failures preceded this run
   * @param timedOut whether its time-out has cancelled the reconcile
   * @param stuck whether the reconcile continues although it was cancelled
   * @param reasons the most recent reasons why the key was queued
   */
  public record KeyInWork(
      String key,
      String reconcileId,
      Duration elapsed,
      int attempt,
      boolean timedOut,
      boolean stuck,
      List<String> reasons) {

    /** Copies the reasons. */
    public KeyInWork {
      reasons = List.copyOf(reasons);
    }
  }
}
