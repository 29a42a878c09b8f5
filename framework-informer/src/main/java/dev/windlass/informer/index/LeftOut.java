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
 * What lists leave out because it does not fit its class: a count, and one warning for each state.
 *
 * <p>It remembers of which states it warned, as long as they exist and up to {@value #REMEMBERED}
 * at a time: when the class itself is wrong, nobody wants to read about each of 100,000 objects.
 * Those beyond are logged at the debug level. Safe for all threads.
 */
final class LeftOut<T> {

  static final int REMEMBERED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(Lister.class);

  private final AtomicLong count = new AtomicLong();

  /** States are forgotten when nothing else refers to them, as when the cache has a newer one. */
  @GuardedBy("this")
  private final Map<CachedObject<T>, Boolean> warned = new WeakHashMap<>();

  @GuardedBy("this")
  private boolean full;

  private enum Level {
    WARNING,
    LAST_WARNING,
    DEBUG
  }

  /** How often something was left out. */
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
      case WARNING -> log.warn("Lists leave out an object: {}", problem.getMessage());
      case LAST_WARNING ->
          log.warn(
              "Lists leave out more than {} objects. The others are logged at the debug level",
              REMEMBERED);
      case DEBUG -> log.debug("Lists leave out an object: {}", problem.getMessage());
    }
  }
}
