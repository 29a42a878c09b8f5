// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of a controller. Instances are immutable.
 *
 * @param name the controller's name
 * @param ready whether the workers are running; false on a replica that is not the leader
 * @param synced whether all sources for which the workers wait have synced
 * @param problem a description of problems with sources and workers, or empty if there are none
 * @param workers the maximum number of keys that are processed concurrently
 * @param queued the number of ready keys for each priority, by the name of the {@link
 *     dev.windlass.workqueue.Priority}: {@code normal}, {@code new}, {@code low}, or for example
 *     {@code handicap 10 s}
 * @param delayed the number of keys that are waiting for a delay or back-off to end
 * @param longestWait how long the oldest ready key has been waiting
 * @param inWork the keys that are being processed, longest run time first; at most 100
 * @param failing the keys whose last reconcile failed, most recent failure first; at most 100
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

  /** Creates a snapshot that holds unmodifiable copies of the given collections. */
  public ControllerDiagnosis {
    queued = Collections.unmodifiableMap(new LinkedHashMap<>(queued));
    inWork = List.copyOf(inWork);
    failing = List.copyOf(failing);
  }

  /**
   * A key whose last reconcile failed. Instances are immutable.
   *
   * @param key the object's key
   * @param error a description of the exception, on one line of at most 300 characters
   * @param times the number of consecutive failures
   * @param ago the time since the last failure
   * @param retryIn the time until the next attempt, or empty if the key is ready, being processed,
   *     or not retried
   * @param reasons the most recent reasons why the key is queued
   */
  public record FailingKey(
      String key,
      String error,
      int times,
      Duration ago,
      Optional<Duration> retryIn,
      List<String> reasons) {

    /** Creates an entry that holds an unmodifiable copy of the reasons. */
    public FailingKey {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * A key that is being processed. Instances are immutable.
   *
   * @param key the object's key
   * @param reconcileId the identifier of the run, which also appears in the log
   * @param elapsed how long the reconcile has been running
   * @param attempt the number of consecutive previous runs that failed or requested another run
   *     with back-off
   * @param timedOut whether the reconcile was cancelled by its time-out
   * @param stuck whether the reconcile is still running some time after it was interrupted
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

    /** Creates an entry that holds an unmodifiable copy of the reasons. */
    public KeyInWork {
      reasons = List.copyOf(reasons);
    }
  }
}
