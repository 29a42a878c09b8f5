// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import java.util.Arrays;

/** Parts of an array that are kept: fields of one JSON object, in their order. */
final class ByteRanges {

  /** From, to, from, to. */
  private int[] bounds = new int[8];

  private int count;

  /** Whether the field before the next one was kept, so that the comma between can be, too. */
  private boolean adjacent;

  /** How many bytes the parts have, and the commas between them. */
  private int length;

  /** Keeps a field. */
  void keep(int from, int to) {
    if (adjacent) {
      length += to - bounds[count - 1];
      bounds[count - 1] = to;
      return;
    }
    if (count == bounds.length) {
      bounds = Arrays.copyOf(bounds, count * 2);
    }
    length += to - from + (count == 0 ? 0 : 1);
    bounds[count++] = from;
    bounds[count++] = to;
    adjacent = true;
  }

  /** Leaves a field out. */
  void drop() {
    adjacent = false;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int length() {
    return length;
  }

  /** Writes the parts with commas between them, and says where they end. */
  int copy(byte[] source, byte[] target, int at) {
    int next = at;
    for (int i = 0; i < count; i += 2) {
      if (i > 0) {
        target[next++] = ',';
      }
      int size = bounds[i + 1] - bounds[i];
      System.arraycopy(source, bounds[i], target, next, size);
      next += size;
    }
    return next;
  }
}
