// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Records which problems of which objects have already been reported. Only the {@value #MOST} most
 * recent entries are kept, so an older problem can be reported again. This class is thread-safe.
 */
public final class ReportedProblems {

  static final int MOST = 1_000;

  private record Reported(String uid, String problem) {}

  /** The problems by object, ordered by the time of the report, latest last. */
  @GuardedBy("this")
  private final Map<ObjectKey, Reported> entries = new LinkedHashMap<>();

  /** Whether the record is empty. Most reconciles read this field instead of acquiring the lock. */
  private volatile boolean empty = true;

  /**
   * Records a problem of an object. Objects with different uids are different objects, even if they
   * have the same key.
   *
   * @return whether the problem should be reported, because it has not yet been reported for this
   *     object
   */
  public synchronized boolean add(ObjectKey key, String uid, String problem) {
    Reported now = new Reported(uid, problem);
    if (now.equals(entries.get(key))) {
      return false;
    }
    entries.remove(key);
    if (entries.size() >= MOST) {
      Iterator<ObjectKey> oldest = entries.keySet().iterator();
      oldest.next();
      oldest.remove();
    }
    entries.put(key, now);
    empty = false;
    return true;
  }

  /** Removes an object, because its problem has been solved or it no longer exists. */
  public void forget(ObjectKey key) {
    if (empty) {
      return;
    }
    synchronized (this) {
      entries.remove(key);
      empty = entries.isEmpty();
    }
  }
}
