// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The problems of objects that have already been reported. Limited to the {@value #MOST} most
 * recent ones; older ones may be reported again. Thread safe.
 */
public final class ReportedProblems {

  static final int MOST = 1_000;

  private record Reported(String uid, String problem) {}

  /** In order of reporting, latest last. */
  @GuardedBy("this")
  private final Map<ObjectKey, Reported> entries = new LinkedHashMap<>();

  /** Lets most reconciles avoid the lock. */
  private volatile boolean empty = true;

  /**
   * Records a problem of an object.
   *
   * @return whether to report the problem, because the object had none or a different one, or was
   *     another object
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
