// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of a list that is being read.
 *
 * <p>In a streaming list, changes can arrive before the list is complete. This class stores these
 * few changes in a map, and the listed objects in an array.
 */
final class ListInProgress<T> {

  private final KnownObjects<T> known;
  private final List<CachedObject<T>> listed = new ArrayList<>();

  /**
   * The changes that arrived while the list was being read. An empty value represents a deletion.
   */
  private final Map<ObjectKey, Optional<CachedObject<T>>> changed = new LinkedHashMap<>();

  /**
   * Creates an empty list.
   *
   * @param known the objects that are already in memory. If a listed object is unchanged, the list
   *     contains the known instance, to save memory
   */
  ListInProgress(KnownObjects<T> known) {
    this.known = known;
  }

  /**
   * Adds a listed object. In a streaming list, the object may also have been created, or deleted
   * and created again, while the list was being read.
   */
  void add(CachedObject<T> object) {
    if (changed.containsKey(object.key())) {
      change(object);
      return;
    }
    CachedObject<T> same = known.get(object.key());
    listed.add(same != null && same.isSameState(object) ? same : object);
  }

  int size() {
    return listed.size();
  }

  void change(CachedObject<T> object) {
    changed.put(object.key(), Optional.of(object));
  }

  void remove(CachedObject<T> object) {
    changed.put(object.key(), Optional.empty());
  }

  /** Returns the listed objects, without duplicates, after all changes have been applied. */
  List<CachedObject<T>> objects() {
    if (changed.isEmpty()) {
      return listed;
    }
    List<CachedObject<T>> objects = new ArrayList<>(listed.size());
    for (CachedObject<T> object : listed) {
      if (!changed.containsKey(object.key())) {
        objects.add(object);
      }
    }
    changed.values().forEach(state -> state.ifPresent(objects::add));
    return objects;
  }
}
