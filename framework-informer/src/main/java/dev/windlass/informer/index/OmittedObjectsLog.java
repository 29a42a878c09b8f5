// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.object.CachedObject;
import dev.windlass.object.UndecodableException;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the objects that lists omit because they cannot be decoded into their class. Logs one
 * warning for each version of an object that is omitted.
 *
 * <p>This class remembers up to {@value #REMEMBERED} versions for which it has logged a warning. It
 * forgets a version that is no longer referenced elsewhere. Once the limit is reached, it logs one
 * further warning, and logs further omissions at the debug level. If the class itself is wrong, one
 * warning for each of 100,000 objects would not be useful. This class is thread-safe.
 */
final class OmittedObjectsLog<T> {

  static final int REMEMBERED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(Lister.class);

  private final AtomicLong count = new AtomicLong();

  /**
   * The versions of objects for which a warning was logged. A version is removed when it is no
   * longer referenced elsewhere, for example because the cache contains a newer version.
   */
  @GuardedBy("this")
  private final Map<CachedObject<T>, Boolean> warned = new WeakHashMap<>();

  @GuardedBy("this")
  private boolean full;

  private enum Level {
    WARNING,
    LAST_WARNING,
    DEBUG
  }

  /** Returns the number of times that a list has omitted an object. */
  long count() {
    return count.get();
  }

  void add(CachedObject<T> object, UndecodableException problem) {
    count.incrementAndGet();
    Level level;
    synchronized (this) {
      if (warned.containsKey(object)) {
        return;
      }
      if (warned.size() < REMEMBERED) {
        warned.put(object, true);
        full = false;
        level = Level.WARNING;
      } else {
        level = full ? Level.DEBUG : Level.LAST_WARNING;
        full = true;
      }
    }
    switch (level) {
      case WARNING -> log.warn("Lists omit an object: {}", problem.getMessage());
      case LAST_WARNING ->
          log.warn(
              "Lists omit more than {} objects. The others are logged at the debug level",
              REMEMBERED);
      case DEBUG -> log.debug("Lists omit an object: {}", problem.getMessage());
    }
  }
}
