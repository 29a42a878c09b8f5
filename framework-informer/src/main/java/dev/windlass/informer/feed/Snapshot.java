// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

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
 * <p>In a streaming list, changes may come before the list is complete. These are few, so they
 * alone stand in a map, and the many others in an array.
 */
final class Snapshot<T> {

  private final KnownState<T> known;
  private final List<CachedObject<T>> listed = new ArrayList<>();

  /** What happened to objects while the list was read; empty for a deletion. */
  private final Map<ObjectKey, Optional<CachedObject<T>>> changed = new LinkedHashMap<>();

  /**
   * An empty list.
   *
   * @param known states that are in memory already and need not be there twice
   */
  Snapshot(KnownState<T> known) {
    this.known = known;
  }

  /**
   * An object of the list; in a streaming list also one that was created while the list was read,
   * maybe anew after its deletion.
   */
  void add(CachedObject<T> object) {
    if (changed.containsKey(object.key())) {
      change(object);
      return;
    }
    CachedObject<T> same = known.get(object.key());
    listed.add(same != null && same.isSameVersion(object) ? same : object);
  }

  /** How many objects have been listed so far. */
  int size() {
    return listed.size();
  }

  /** A state that came after the object was listed, or the object is new. */
  void change(CachedObject<T> object) {
    changed.put(object.key(), Optional.of(object));
  }

  /** The object was deleted after it was listed. */
  void remove(CachedObject<T> object) {
    changed.put(object.key(), Optional.empty());
  }

  /** The objects that exist, each once. */
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
