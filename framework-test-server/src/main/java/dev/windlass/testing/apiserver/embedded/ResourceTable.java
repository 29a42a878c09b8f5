// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;

/** The objects of one resource with their log. Guarded by the store's lock. */
final class ResourceTable {
  private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
  private final ChangeLog log;
  private final Condition changed;
  private boolean dropped;

  ResourceTable(ChangeLog log, Condition changed) {
    this.log = log;
    this.changed = changed;
  }

  /** Returns the live objects; the map is not a copy. */
  NavigableMap<ObjectKey, ObjectNode> objects() {
    return objects;
  }

  ChangeLog log() {
    return log;
  }

  /**
   * Returns a condition that is signalled for each change, and whenever a watch must check its
   * state.
   */
  Condition changed() {
    return changed;
  }

  /** Reports whether the resource has been dropped, which ends its watches. */
  boolean dropped() {
    return dropped;
  }

  void drop() {
    dropped = true;
    changed.signalAll();
  }

  /**
   * Returns the objects as they were at {@code revision}, which must not be below the log's floor:
   * the current ones with all later changes undone. The map may be the live one.
   */
  NavigableMap<ObjectKey, ObjectNode> at(long revision) {
    long start = log.after(revision);
    if (start == log.end()) {
      return objects;
    }
    NavigableMap<ObjectKey, ObjectNode> state = new TreeMap<>(objects);
    for (long position = log.end() - 1; position >= start; position--) {
      Change change = log.at(position);
      ObjectNode previous = change.previous();
      if (previous == null) {
        state.remove(change.meta().key());
      } else {
        state.put(change.meta().key(), previous);
      }
    }
    return state;
  }
}
