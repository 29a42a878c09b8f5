// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.DurationText;
import java.time.Duration;

/**
 * The urgency of an item, expressed as its handicap: the longest time for which more urgent items
 * can overtake it without restriction.
 *
 * <p>The queue serves more urgent items first, and items of the same priority in order of arrival.
 * An item that has waited longer than its handicap is overdue. While items are overdue, one in four
 * items that the queue serves is the item that has been overdue for the longest time. This rule
 * prevents starvation. It delays a more urgent item only slightly, even if many items are overdue:
 * at most one overdue item is served before it, plus one for every three items of the same urgency
 * ahead of it.
 *
 * <p>A queue distinguishes 64 different handicaps among the keys that are ready at one time. A key
 * with any other handicap joins the keys of the next more urgent handicap or, if there is none, the
 * keys of the most urgent handicap. Handicaps of more than a hundred years are treated as a hundred
 * years.
 *
 * @param handicap the longest time of unrestricted overtaking, zero or more
 */
public record Priority(Duration handicap) implements Comparable<Priority> {

  /** The priority of changes to objects, with a handicap of zero. */
  public static final Priority NORMAL = new Priority(Duration.ZERO);

  /**
   * The priority of the initial list and of resyncs, with a handicap of 60 s, so that a change does
   * not wait behind thousands of unchanged objects. If these objects wait longer, they make up a
   * quarter of the items that the queue serves while changes keep arriving. In controller-runtime,
   * their waiting time is unbounded.
   */
  public static final Priority LOW = new Priority(Duration.ofSeconds(60));

  /** Checks that the handicap is not negative. */
  public Priority {
    if (handicap.isNegative()) {
      throw new IllegalArgumentException(
          "a handicap must not be negative: " + DurationText.of(handicap));
    }
  }

  /** Returns the more urgent of this priority and {@code other}. */
  public Priority orMoreUrgent(Priority other) {
    return compareTo(other) <= 0 ? this : other;
  }

  /** Compares this priority with {@code other}. The more urgent priority comes first. */
  @Override
  public int compareTo(Priority other) {
    return handicap.compareTo(other.handicap);
  }

  /** Returns {@code normal}, {@code low}, or a string such as {@code handicap 10 s}. */
  @Override
  public String toString() {
    if (equals(NORMAL)) {
      return "normal";
    }
    return equals(LOW) ? "low" : "handicap " + DurationText.of(handicap);
  }
}
