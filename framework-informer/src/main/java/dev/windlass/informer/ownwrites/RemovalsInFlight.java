// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import dev.windlass.object.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Records the objects that the store removes while a write is in flight. A late response to the
 * write therefore does not restore a removed object. An instance is empty while no write is in
 * flight. Callers must ensure that only one thread at a time uses an instance.
 */
final class RemovalsInFlight {

  /**
   * The maximum number of recorded objects: 10,000. If there are more, this class drops the oldest
   * ones. The overlay then does not trust any response until all writes in flight have completed.
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

  void begin() {
    inFlight++;
  }

  void end() {
    inFlight--;
    if (inFlight == 0) {
      ends.clear();
      complete = true;
    }
  }

  /** Records that the store has removed an object. Does nothing if no write is in flight. */
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
   * Returns whether all removals since the first write in flight are recorded. Returns false if an
   * object was dropped because of the {@linkplain #MAX limit}.
   */
  boolean areAllKnown() {
    return complete;
  }

  /**
   * Returns the highest version among the recorded objects with the given key. Returns -1 if there
   * are none or if no version is known.
   */
  long version(ObjectKey key) {
    DeletedObjects.Gone gone = ends.get(key);
    return gone == null ? -1 : gone.version();
  }

  boolean has(ObjectKey key, String uid) {
    DeletedObjects.@Nullable Gone gone = ends.get(key);
    return gone != null && gone.uid().equals(uid);
  }
}
