// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.List;

/**
 * A key that is in work. Immutable.
 *
 * @param key of the object
 * @param reconcileId which run it is, as in the log
 * @param elapsed how long it has run
 * @param attempt how many failures came before it
 * @param timedOut whether its time-out has cancelled it
 * @param stuck whether it goes on all the same
 * @param reasons why it was queued, the last few
 */
public record KeyInWork(
    String key,
    String reconcileId,
    Duration elapsed,
    int attempt,
    boolean timedOut,
    boolean stuck,
    List<String> reasons) {

  /** Takes a copy. */
  public KeyInWork {
    reasons = List.copyOf(reasons);
  }
}
