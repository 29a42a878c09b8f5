// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.logging;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The problems of objects that have already been reported. Only the {@value #MOST} most recent ones
 * are kept, so older ones can be reported again. This class is thread-safe.
 */
public final class ReportedProblems {

  static final int MOST = 1_000;

  private record Reported(String uid, String problem) {}

  /** The problems by object, ordered by the time of the report, latest last. */
  @GuardedBy("this")
  private final Map<ObjectKey, Reported> entries = new LinkedHashMap<>();

  /**
   * Whether there are no entries. Most reconciles read this field instead of acquiring the lock.
   */
  private volatile boolean empty = true;

  /**
   * Records a problem of an object.
   *
   * @return whether to report the problem, because it has not been reported for this object. An
   *     object with another uid is a different object
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

  /** Removes an object that has no problem or no longer exists. */
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
