// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;

/** The objects of one resource and the log of their changes. The store's lock guards the table. */
public final class ResourceTable {
  private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
  private final ChangeLog log;
  private final Condition changed;
  private boolean dropped;

  ResourceTable(ChangeLog log, Condition changed) {
    this.log = log;
    this.changed = changed;
  }

  /** Returns the map that contains the current objects, not a copy. */
  public NavigableMap<ObjectKey, ObjectNode> objects() {
    return objects;
  }

  public ChangeLog log() {
    return log;
  }

  /**
   * Returns the condition on which watches wait. It is signalled for each change, and whenever a
   * watch must check its state.
   */
  public Condition changed() {
    return changed;
  }

  /** Returns whether the resource has been dropped, in which case its watches must end. */
  public boolean dropped() {
    return dropped;
  }

  void drop() {
    dropped = true;
    changed.signalAll();
  }

  /**
   * Returns the objects as they were at {@code revision}, which must not be below the log's floor.
   * The result is derived from the current objects by reversing all later changes, and can be the
   * map of current objects itself.
   */
  public NavigableMap<ObjectKey, ObjectNode> at(long revision) {
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
