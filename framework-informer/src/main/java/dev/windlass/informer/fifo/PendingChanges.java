// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.fifo;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pending changes to one object in order of arrival, or a single barrier. A barrier does not
 * belong to an object.
 *
 * <p>{@link #add} keeps every change. {@link #addCompressing} keeps at most four of the changes
 * that it adds:
 *
 * <ul>
 *   <li>An addition or update is merged into the last pending change if that is an addition or
 *       update of the same object, identified by its uid. Changes are never merged across a
 *       deletion, and a deletion is never merged into an addition or update. If an object is
 *       deleted and created again, the result is therefore always a deletion and an addition.
 *   <li>If an object is deleted and all its pending changes follow the deletion of a predecessor,
 *       these changes are removed, because the consumer has never received that object.
 *   <li>If several consecutive deletions remain, only the first and the last are kept. The first
 *       deletion removes the object from the cache. The last deletion contains the latest version
 *       at which no object with this key existed. This version is needed if events arrived twice
 *       and the cache contains a different object than expected.
 * </ul>
 *
 * <p>Most objects have only one pending change, so the first change is stored without a list. This
 * saves 50 bytes for each event in a burst. This class is not thread-safe. Once the queue has
 * returned an instance, the instance no longer changes.
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

  /** Returns the time at which the first change arrived, in nanoseconds on the queue's clock. */
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
   * Adds a change according to the rules in this class's description. It can be merged into a
   * pending change, or can make pending changes unnecessary.
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
   * Removes the pending additions and updates of the deleted object. Does nothing unless they are
   * the last changes and directly follow a deletion.
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

  /** Returns the object of an addition or an update, or null for any other change. */
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
