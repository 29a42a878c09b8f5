// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.time.DurationText;
import java.time.Duration;

/**
 * How urgent an item is, as the longest that more urgent ones may overtake it freely.
 *
 * <p>The more urgent item is served first, and items of one priority are first come, first served.
 * An item that has waited for its handicap is overdue: from then on one of four turns goes to the
 * item that has been overdue for longest. So nobody starves, and a more urgent item is never far
 * behind, however many are overdue: at most one of them is served before it, and one more for each
 * three that are as urgent as it is and came before.
 *
 * <p>A queue tells 64 different handicaps apart among the keys that are ready at one time. A key
 * with one more lines up with those of the next more urgent one, or of the most urgent one if it is
 * more urgent than all. Handicaps of more than a hundred years are as one of a hundred years.
 *
 * @param handicap zero or more
 */
public record Priority(Duration handicap) implements Comparable<Priority> {

  /** For changes: no handicap. */
  public static final Priority NORMAL = new Priority(Duration.ZERO);

  /**
   * For the initial list and for resyncs: 60 s, so that a user's fresh edit does not wait behind
   * thousands of objects that merely exist. Where working them off takes longer, they keep a
   * quarter of the turns for as long as changes come (controller-runtime has no bound on their
   * waiting).
   */
  public static final Priority LOW = new Priority(Duration.ofSeconds(60));

  /** Refuses a negative handicap. */
  public Priority {
    if (handicap.isNegative()) {
      throw new IllegalArgumentException(
          "a handicap must not be negative: " + DurationText.of(handicap));
    }
  }

  /** The more urgent of the two. */
  public Priority orMoreUrgent(Priority other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** Orders the more urgent priority first. */
  @Override
  public int compareTo(Priority other) {
    return handicap.compareTo(other.handicap);
  }

  /** {@code normal}, {@code low}, or such as {@code handicap 10 s}. */
  @Override
  public String toString() {
    if (equals(NORMAL)) {
      return "normal";
    }
    return equals(LOW) ? "low" : "handicap " + DurationText.of(handicap);
  }
}
