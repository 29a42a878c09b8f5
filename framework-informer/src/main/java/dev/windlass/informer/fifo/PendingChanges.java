// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pending changes to one object in order of arrival, or one barrier, which does not belong to
 * an object.
 *
 * <p>{@link #add} keeps all changes. {@link #addCompressing} keeps at most four of the changes that
 * it adds:
 *
 * <ul>
 *   <li>A state replaces the last pending change if that change is a state of the same object (by
 *       uid). Changes are never merged across a deletion, and a deletion is never merged into a
 *       state. An object that was created again is therefore always a deletion and an addition.
 *   <li>If an object is deleted and all its pending states follow the deletion of a predecessor,
 *       these states are removed, because the consumer has never received that object.
 *   <li>Of consecutive deletions that remain, the first and the latest are kept. The first deletion
 *       removes the object from the cache. The latest deletion records the version up to which the
 *       key is known to be free. It is needed if events arrived twice and the cache contains a
 *       different object than expected.
 * </ul>
 *
 * <p>Most objects have a single pending change, so the first change is stored without a list. This
 * saves 50 bytes for each event in a burst. This class is not thread-safe: an instance belongs to
 * the queue while it waits, and is not changed afterwards.
 */
final class PendingChanges<T> extends AbstractList<Delta<T>> {

  private final @Nullable ObjectKey key;
  private final long arrivedAt;
  private Delta<T> first;
  private @Nullable ArrayList<Delta<T>> rest;

  PendingChanges(@Nullable ObjectKey key, long arrivedAt, Delta<T> first) {
    this.key = key;
    this.arrivedAt = arrivedAt;
    this.first = first;
  }

  /** Returns the object's key, or null for a barrier. */
  @Nullable ObjectKey key() {
    return key;
  }

  /** Returns the time at which the first change arrived, in nanoseconds of the queue's clock. */
  long arrivedAt() {
    return arrivedAt;
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

  /**
   * Adds a change, and merges or drops changes according to the rules in this class's description.
   */
  void addCompressing(Delta<T> next) {
    if (next.type() == Delta.Type.DELETED) {
      dropUnheard(((Delta.Change<T>) next).object());
      if (isDeletion(size() - 1) && isDeletion(size() - 2)) {
        replaceLast(next);
      } else {
        add(next);
      }
      return;
    }
    Delta<T> last = get(size() - 1);
    CachedObject<T> before = state(last);
    CachedObject<T> after = state(next);
    if (before == null || after == null || !before.isSameObject(after)) {
      add(next);
    } else if (!after.isOlderThan(before)) { // otherwise the applier would drop the state
      replaceLast(new Delta.Change<>(last.type(), after));
    }
  }

  /**
   * Removes the pending states of the deleted object if they are the last changes and directly
   * follow a deletion.
   */
  private void dropUnheard(CachedObject<T> deleted) {
    int before = size() - 1;
    while (before >= 0 && isStateOf(get(before), deleted)) {
      before--;
    }
    if (rest != null && isDeletion(before)) {
      rest.subList(before, rest.size()).clear(); // the change at "before" is in rest at before - 1
    }
  }

  private boolean isDeletion(int index) {
    return index >= 0 && get(index).type() == Delta.Type.DELETED;
  }

  private boolean isStateOf(Delta<T> delta, CachedObject<T> object) {
    CachedObject<T> state = state(delta);
    return state != null && state.isSameObject(object);
  }

  /** Returns the state of an addition or an update, or null for all other changes. */
  private @Nullable CachedObject<T> state(Delta<T> delta) {
    return delta instanceof Delta.Change<T> change && change.type() != Delta.Type.DELETED
        ? change.object()
        : null;
  }

  private void replaceLast(Delta<T> delta) {
    if (rest == null || rest.isEmpty()) {
      first = delta;
    } else {
      rest.set(rest.size() - 1, delta);
    }
  }
}
