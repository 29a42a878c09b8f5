// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import dev.windlass.object.ObjectKey;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What waits for one object, oldest first; or one barrier, which belongs to none.
 *
 * <p>Most objects wait with one change, so the first one is held without a list around it: that
 * saves 50 bytes for each event of a burst. Not thread safe; it is the queue's while it waits, and
 * nobody changes it afterwards.
 */
final class Changes<T> extends AbstractList<Delta<T>> {

  private final @Nullable ObjectKey key;
  private final long arrivedAt;
  private Delta<T> first;
  private @Nullable ArrayList<Delta<T>> rest;

  Changes(@Nullable ObjectKey key, long arrivedAt, Delta<T> first) {
    this.key = key;
    this.arrivedAt = arrivedAt;
    this.first = first;
  }

  /** The object; null for a barrier. */
  @Nullable ObjectKey key() {
    return key;
  }

  /** When the first change came, in nanoseconds of the queue's clock. */
  long arrivedAt() {
    return arrivedAt;
  }

  /** The change that came last. */
  Delta<T> last() {
    return get(size() - 1);
  }

  @Override
  public Delta<T> get(int index) {
    Objects.checkIndex(index, size());
    return index == 0 || rest == null ? first : rest.get(index - 1);
  }

  @Override
  public int size() {
    return rest == null ? 1 : 1 + rest.size();
  }

  @Override
  public boolean add(Delta<T> delta) {
    if (rest == null) {
      rest = new ArrayList<>(2);
    }
    return rest.add(delta);
  }

  /** Puts a change in the place of the last one. */
  void replaceLast(Delta<T> delta) {
    if (rest == null || rest.isEmpty()) {
      first = delta;
    } else {
      rest.set(rest.size() - 1, delta);
    }
  }

  /** Takes out the last change, which must not be the only one. */
  void removeLast() {
    if (rest == null) {
      throw new IllegalStateException("the only change: " + first);
    }
    rest.remove(rest.size() - 1);
  }
}
