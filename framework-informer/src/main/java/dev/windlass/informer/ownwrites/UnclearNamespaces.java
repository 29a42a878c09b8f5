// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Namespaces that are unclear as a whole, because it is not known which keys are: a namespace after
 * a deletion of many objects without a known response, and all namespaces after the overlay had no
 * room for a write. Written by one thread at a time, read by any.
 */
final class UnclearNamespaces {

  private static final Logger log = LoggerFactory.getLogger(Overlay.class);

  /**
   * How long a namespace is unclear.
   *
   * @param until when it is clear again, in nanoseconds of the scheduler
   * @param version it stays unclear until the store has received this version; -1 if there is none
   *     to wait for
   */
  private record Doubt(long until, long version) {

    boolean lasts(long now, long newest) {
      return now - until < 0 || version > newest;
    }
  }

  /** The namespace that stands for all namespaces. */
  private static final String ALL = "";

  private final String what;
  private final Map<String, Doubt> byNamespace = new ConcurrentHashMap<>();
  private final AtomicLong forgotten = new AtomicLong();

  /** Creates an instance without doubts; {@code what} is named in a warning. */
  UnclearNamespaces(String what) {
    this.what = what;
  }

  /**
   * Marks a namespace, or all if it is empty, as unclear; the mark expires like that of a key of
   * unknown version.
   */
  void add(String namespace, long now) {
    put(namespace, new Doubt(now + WrittenState.CONFIRMED_WITHIN.toNanos(), -1));
  }

  /** Records that there was no room for a write that led to this version; -1 if it is not known. */
  void forget(long version, long now) {
    forgotten.incrementAndGet();
    if (!byNamespace.containsKey(ALL)) {
      log.warn(
          "More than {} writes of {} have not arrived in the watch yet; until it has caught up,"
              + " every read of them asks the API server",
          Overlay.MAX_MARKS,
          what);
    }
    put(ALL, new Doubt(now + WrittenState.FORGOTTEN_AFTER.toNanos(), version));
  }

  private void put(String namespace, Doubt doubt) {
    byNamespace.merge(
        namespace,
        doubt,
        (one, other) ->
            new Doubt(
                one.until() - other.until() > 0 ? one.until() : other.until(),
                Math.max(one.version(), other.version())));
  }

  /** Returns how many writes there was no room for. */
  long forgotten() {
    return forgotten.get();
  }

  /** Reports whether a namespace is unclear; for an empty one, whether any is. */
  boolean cover(String namespace, long now, long newest) {
    if (byNamespace.isEmpty()) {
      return false;
    }
    return byNamespace.entrySet().stream()
        .filter(
            doubt ->
                namespace.equals(ALL)
                    || doubt.getKey().equals(ALL)
                    || doubt.getKey().equals(namespace))
        .anyMatch(doubt -> doubt.getValue().lasts(now, newest));
  }

  /** Drops expired doubts, and reports whether any is left. */
  boolean sweep(long now, long newest) {
    byNamespace.values().removeIf(doubt -> !doubt.lasts(now, newest));
    return !byNamespace.isEmpty();
  }
}
