// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;

/**
 * How much later than its turn an item may be served.
 *
 * <p>The queue orders items by the time at which they became ready plus this handicap. So items of
 * one priority are first come, first served; a more urgent item overtakes those with a greater
 * handicap; and nobody starves, because after waiting for its handicap an item stands before
 * everything that comes then.
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
   * thousands of objects that merely exist.
   *
   * <p>It bounds how long those are overtaken (controller-runtime has no bound). So where working
   * off the initial list takes longer than 60 s, changes that come after that time wait behind what
   * is left of it, however long that takes; more workers help, or a longer handicap.
   */
  public static final Priority LOW = new Priority(Duration.ofSeconds(60));

  /** Refuses a negative handicap. */
  public Priority {
    if (handicap.isNegative()) {
      throw new IllegalArgumentException("a handicap must not be negative: " + handicap);
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
}
