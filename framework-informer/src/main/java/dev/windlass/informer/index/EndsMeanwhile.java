// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import dev.windlass.object.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which objects the store saw end while writes were on their way: an answer that comes after that
 * must not bring them back. Nothing is kept while nothing is on its way. To be used by one thread
 * at a time.
 */
final class EndsMeanwhile {

  /**
   * How many are remembered. Of more, those that ended first are forgotten, and no answer is
   * trusted until nothing is on its way.
   */
  static final int MAX = 10_000;

  private int inFlight;
  private boolean complete = true;

  private final Map<ObjectKey, Deletions.Gone> ends =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ObjectKey, Deletions.Gone> eldest) {
          complete &= size() <= MAX;
          return size() > MAX;
        }
      };

  /** A write goes to the server. */
  void begin() {
    inFlight++;
  }

  /** A write has ended. */
  void end() {
    inFlight--;
    if (inFlight == 0) {
      ends.clear();
      complete = true;
    }
  }

  /** This object has ended. */
  void add(ObjectKey key, Deletions.Gone gone) {
    if (inFlight > 0) {
      Deletions.Gone before = ends.get(key);
      long version = before == null ? -1 : before.version();
      ends.put(
          key, new Deletions.Gone(gone.uid(), Math.max(version, gone.version()), gone.since()));
    }
  }

  /** Whether none was forgotten. */
  boolean areAllKnown() {
    return complete;
  }

  /** The last version that is known to have ended; -1 if none is. */
  long version(ObjectKey key) {
    Deletions.Gone gone = ends.get(key);
    return gone == null ? -1 : gone.version();
  }

  /** Whether the object that ended last under the key is this one. */
  boolean has(ObjectKey key, String uid) {
    Deletions.@Nullable Gone gone = ends.get(key);
    return gone != null && gone.uid().equals(uid);
  }
}
