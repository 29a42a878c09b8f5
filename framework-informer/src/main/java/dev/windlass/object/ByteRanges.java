// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.Arrays;

/**
 * Records which ranges of a byte array to keep, in ascending order. Each range contains one or more
 * adjacent fields of a JSON object.
 */
final class ByteRanges {

  private static final int[] NONE = {};

  /** The start of the first range. Most objects have only this range. */
  private int firstFrom;

  private int firstTo;

  /** The ranges after the first, as alternating start and end positions. */
  private int[] others = NONE;

  private int count;

  /**
   * Whether the previous field was kept. If so, the next field extends the same range, including
   * the comma between the fields.
   */
  private boolean adjacent;

  /** The number of bytes in the ranges, including the commas between them. */
  private int length;

  void keep(int from, int to) {
    if (adjacent) {
      length += to - end();
      setEnd(to);
      return;
    }
    length += to - from + (count == 0 ? 0 : 1);
    if (count == 0) {
      firstFrom = from;
    } else {
      int at = (count - 1) * 2;
      if (at == others.length) {
        others = Arrays.copyOf(others, at + 8);
      }
      others[at] = from;
    }
    count++;
    setEnd(to);
    adjacent = true;
  }

  private int end() {
    return count == 1 ? firstTo : others[count * 2 - 3];
  }

  private void setEnd(int to) {
    if (count == 1) {
      firstTo = to;
    } else {
      others[count * 2 - 3] = to;
    }
  }

  /** Omits a field. The next kept field begins a new range. */
  void drop() {
    adjacent = false;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int length() {
    return length;
  }

  /**
   * Copies the ranges to {@code target}, separated by commas, and returns the position after the
   * last range.
   */
  int copy(byte[] source, byte[] target, int at) {
    if (count == 0) {
      return at;
    }
    int next = append(source, firstFrom, firstTo, target, at);
    for (int i = 0; i < count * 2 - 2; i += 2) {
      target[next++] = ',';
      next = append(source, others[i], others[i + 1], target, next);
    }
    return next;
  }

  private static int append(byte[] source, int from, int to, byte[] target, int at) {
    System.arraycopy(source, from, target, at, to - from);
    return at + to - from;
  }
}
