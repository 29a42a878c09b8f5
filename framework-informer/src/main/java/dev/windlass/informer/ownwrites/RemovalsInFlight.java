// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the objects that the store removes while a write is in flight, so that a late response
 * does not restore these objects. An instance is empty while no write is in flight. Callers must
 * ensure that only one thread at a time uses an instance.
 */
final class RemovalsInFlight {

  /**
   * The maximum number of objects. If there are more, this class drops the oldest ones, and the
   * overlay does not trust responses until all writes in flight have completed.
   */
  static final int MAX = 10_000;

  private int inFlight;
  private boolean complete = true;

  private final Map<ObjectKey, DeletedObjects.Gone> ends =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectKey, DeletedObjects.Gone> eldest) {
          complete &= size() <= MAX;
          return size() > MAX;
        }
      };

  /** Records that a write is sent to the server. */
  void begin() {
    inFlight++;
  }

  /** Records that a write has completed. */
  void end() {
    inFlight--;
    if (inFlight == 0) {
      ends.clear();
      complete = true;
    }
  }

  /** Records that the store has removed this object. */
  void add(ObjectKey key, DeletedObjects.Gone gone) {
    if (inFlight > 0) {
      DeletedObjects.Gone before = ends.get(key);
      long version = before == null ? -1 : before.version();
      ends.put(
          key,
          new DeletedObjects.Gone(gone.uid(), Math.max(version, gone.version()), gone.since()));
    }
  }

  /**
   * Returns whether this instance still has all removals, that is, whether none was dropped because
   * of the {@linkplain #MAX limit}.
   */
  boolean areAllKnown() {
    return complete;
  }

  /**
   * Returns the highest version of the removed objects with the given key, or -1 if there are none
   * or the version is unknown.
   */
  long version(ObjectKey key) {
    DeletedObjects.Gone gone = ends.get(key);
    return gone == null ? -1 : gone.version();
  }

  /** Returns whether the most recently removed object with this key has this uid. */
  boolean has(ObjectKey key, String uid) {
    DeletedObjects.@Nullable Gone gone = ends.get(key);
    return gone != null && gone.uid().equals(uid);
  }
}
