// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import dev.windlass.scheduling.DurationText;
import java.time.Duration;

/**
 * The priority of a key, which is defined by the key's handicap. The handicap is the time for which
 * more urgent keys can overtake the key without restriction. A key with a shorter handicap is more
 * urgent.
 *
 * <p>The queue serves more urgent keys first, and serves keys of the same priority in the order in
 * which they became ready, or in turn from each of their {@linkplain WorkQueueOptions#withGrouping
 * groups}. A priority is overdue if there have been keys with it for longer than its handicap,
 * without interruption. While there are overdue priorities, the queue serves a key of one of them
 * after every three other keys, and each of these priorities in turn. This rule prevents
 * starvation. It delays more urgent keys only slightly: even if many keys are overdue, the queue
 * serves at most one of them for every three more urgent keys.
 *
 * <p>A queue can distinguish 64 different handicaps among the keys that are ready at the same time.
 * If there are more handicaps, the queue treats a key with another handicap like the keys with the
 * next more urgent handicap or, if there is none, like the most urgent keys. Handicaps of more than
 * a hundred years are treated as a hundred years.
 *
 * @param handicap the handicap; zero or more
 */
public record Priority(Duration handicap) implements Comparable<Priority> {

  /** The priority of keys whose objects have changed. The handicap is zero. */
  public static final Priority NORMAL = new Priority(Duration.ZERO);

  /**
   * The priority of keys whose objects have been created. The handicap is 10 ms, so that a change
   * to one object does not have to wait for thousands of new ones. While changes keep arriving,
   * every fourth key that the queue serves has this priority, or every eighth if others are
   * overdue, too.
   */
  public static final Priority NEW = new Priority(Duration.ofMillis(10));

  /**
   * The priority of keys from the initial list and from resyncs. The handicap is 60 s, so that a
   * change does not have to wait for thousands of unchanged objects. If changes keep arriving for
   * longer than this time, every fourth key that the queue serves has this priority. In
   * controller-runtime, such keys can wait indefinitely.
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

  /** Compares this priority with {@code other}. More urgent priorities come first. */
  @Override
  public int compareTo(Priority other) {
    return handicap.compareTo(other.handicap);
  }

  /**
   * Returns {@code normal}, {@code new}, {@code low}, or a string such as {@code handicap 10 s}.
   */
  @Override
  public String toString() {
    if (equals(NORMAL)) {
      return "normal";
    }
    if (equals(NEW)) {
      return "new";
    }
    return equals(LOW) ? "low" : "handicap " + DurationText.of(handicap);
  }
}
