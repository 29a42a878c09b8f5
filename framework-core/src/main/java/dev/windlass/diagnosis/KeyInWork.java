// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.List;

/**
 * A key that is being processed. Immutable.
 *
 * @param key the key of the object
 * @param reconcileId identifies the run, as in the log
 * @param elapsed how long the reconcile has been running
 * @param attempt how many failures preceded this run
 * @param timedOut whether its time-out has cancelled the reconcile
 * @param stuck whether the reconcile continues although it was cancelled
 * @param reasons why the key was queued, the last few
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
