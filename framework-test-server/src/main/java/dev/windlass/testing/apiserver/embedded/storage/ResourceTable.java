// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import java.util.LinkedHashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;

/** The objects of one resource, and the log of their changes. The store's lock guards the table. */
public final class ResourceTable {
  private final NavigableMap<ObjectKey, ObjectNode> objects = new TreeMap<>();
  private final ChangeLog log;
  private final Condition changed;
  private final Set<Runnable> listeners = new LinkedHashSet<>();
  private boolean dropped;

  ResourceTable(ChangeLog log, Condition changed) {
    this.log = log;
    this.changed = changed;
  }

  /** Returns the current objects. The map is not a copy. */
  public NavigableMap<ObjectKey, ObjectNode> objects() {
    return objects;
  }

  public ChangeLog log() {
    return log;
  }

  /**
   * Returns the condition that this table signals after each change, and whenever a watch must end
   * or send a bookmark.
   */
  public Condition changed() {
    return changed;
  }

  /** Signals {@link #changed()} and calls the listeners. */
  public void wakeWatches() {
    changed.signalAll();
    listeners.forEach(Runnable::run);
  }

  /**
   * Adds a listener. This table calls the listener under the store's lock whenever it signals
   * {@link #changed()}. The listener must not block.
   */
  public void listen(Runnable listener) {
    listeners.add(listener);
  }

  /** Removes the given listener. */
  public void forget(Runnable listener) {
    listeners.remove(listener);
  }

  /** Returns whether the resource has been dropped. If it has, its watches end. */
  public boolean dropped() {
    return dropped;
  }

  void drop() {
    dropped = true;
    wakeWatches();
  }

  /**
   * Returns the objects as they were at {@code revision}, which must not be lower than the log's
   * floor. This method copies the map of current objects and undoes all later changes. If there are
   * no later changes, it returns the map of current objects itself.
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
