// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Map;
import java.util.WeakHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one warning for each version of an object that cannot be decoded into its class, even if
 * several lists, index functions, predicates and mappings fail because of it. Each {@link
 * ObjectCodec} has a log of its own, so all readers of one cache share a log.
 *
 * <p>A log remembers up to {@value #REMEMBERED} versions for which it has logged a warning. It
 * forgets a version that is no longer referenced elsewhere. Once the limit is reached, it logs one
 * further warning, and logs further versions at the debug level. If the class itself is wrong, one
 * warning for each of 100,000 objects would not be useful. This class is thread-safe.
 */
public final class UndecodableLog {

  static final int REMEMBERED = 1_000;

  private static final Logger log = LoggerFactory.getLogger(UndecodableLog.class);

  /**
   * The versions of objects for which a warning was logged. A version is removed when it is no
   * longer referenced elsewhere, for example because the cache contains a newer version.
   */
  @GuardedBy("this")
  private final Map<CachedObject<?>, Boolean> warned = new WeakHashMap<>();

  @GuardedBy("this")
  private boolean full;

  UndecodableLog() {}

  private enum Level {
    NONE,
    DEBUG,
    LAST_WARNING,
    WARNING
  }

  /** Logs that an object is omitted, unless this version of the object has already been logged. */
  public static void omitted(CachedObject<?> object, UndecodableException problem) {
    switch (object.undecodableLog().level(object)) {
      case NONE -> {}
      case DEBUG ->
          log.debug("Lists, indices and mappings omit {}: it {}", object, problem.problem());
      case LAST_WARNING ->
          log.warn(
              "Lists, indices and mappings omit more than {} objects of the type {}. The others are"
                  + " logged at the debug level",
              REMEMBERED,
              object.type().kind());
      case WARNING ->
          log.warn(
              "Lists, indices and mappings omit {}: it {}. {}",
              object,
              problem.problem(),
              problem.remedy());
    }
  }

  /** Returns whether a warning has been logged for this version of the object. */
  public static boolean hasWarned(CachedObject<?> object) {
    return object.undecodableLog().contains(object);
  }

  private synchronized boolean contains(CachedObject<?> object) {
    return warned.containsKey(object);
  }

  private synchronized Level level(CachedObject<?> object) {
    if (warned.containsKey(object)) {
      return Level.NONE;
    }
    if (warned.size() < REMEMBERED) {
      warned.put(object, true);
      full = false;
      return Level.WARNING;
    }
    Level level = full ? Level.DEBUG : Level.LAST_WARNING;
    full = true;
    return level;
  }
}
