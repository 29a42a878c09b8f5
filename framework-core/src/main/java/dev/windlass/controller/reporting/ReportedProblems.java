// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.reporting;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Of which objects people know what is wrong with them. Of the {@value #MOST} that were told last:
 * what is older is told again. Thread safe.
 */
public final class ReportedProblems {

  static final int MOST = 1_000;

  private record Told(String uid, String problem) {}

  /** The one that was told last stands last. */
  @GuardedBy("this")
  private final Map<ObjectKey, Told> entries = new LinkedHashMap<>();

  /** Spares most reconciles the lock. */
  private volatile boolean empty = true;

  /**
   * An object has a problem.
   *
   * @return whether that is news: it had none, or another one, or it was another object
   */
  public synchronized boolean add(ObjectKey key, String uid, String problem) {
    Told now = new Told(uid, problem);
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

  /** The object has no problem, or is gone. */
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
