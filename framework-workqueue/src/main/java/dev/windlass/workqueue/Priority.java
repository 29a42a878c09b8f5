// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.DurationText;
import java.time.Duration;

/**
 * The urgency of an item, expressed as the longest time for which more urgent items may overtake it
 * without restriction.
 *
 * <p>More urgent items are served first; items of one priority are served in order of arrival. An
 * item that has waited for its handicap is overdue: from then on, one in four turns goes to the
 * item that has been overdue longest. So no item starves, and a more urgent item is delayed little
 * even if many items are overdue: at most one overdue item is served before it, plus one for every
 * three items of the same urgency ahead of it.
 *
 * <p>A queue distinguishes 64 different handicaps among the keys that are ready at one time. A key
 * with another handicap waits with the keys of the next more urgent handicap, or with those of the
 * most urgent one if it is more urgent than all. Handicaps of more than a hundred years are treated
 * as a hundred years.
 *
 * @param handicap zero or more
 */
public record Priority(Duration handicap) implements Comparable<Priority> {

  /** For changes: no handicap. */
  public static final Priority NORMAL = new Priority(Duration.ZERO);

  /**
   * For the initial list and for resyncs: 60 s, so that a change does not wait behind thousands of
   * unchanged objects. If processing these takes longer, they receive a quarter of the turns while
   * changes keep arriving (controller-runtime does not bound their wait).
   */
  public static final Priority LOW = new Priority(Duration.ofSeconds(60));

  /** Rejects a negative handicap. */
  public Priority {
    if (handicap.isNegative()) {
      throw new IllegalArgumentException(
          "a handicap must not be negative: " + DurationText.of(handicap));
    }
  }

  /** Returns the more urgent of the two. */
  public Priority orMoreUrgent(Priority other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** Orders the more urgent priority first. */
  @Override
  public int compareTo(Priority other) {
    return handicap.compareTo(other.handicap);
  }

  /** Returns {@code normal}, {@code low}, or text such as {@code handicap 10 s}. */
  @Override
  public String toString() {
    if (equals(NORMAL)) {
      return "normal";
    }
    return equals(LOW) ? "low" : "handicap " + DurationText.of(handicap);
  }
}
