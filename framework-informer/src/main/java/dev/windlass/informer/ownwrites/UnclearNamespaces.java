// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The namespaces that are unclear as a whole, because it is unknown which of their keys are
 * {@linkplain Overlay#isUnclear unclear}. A namespace becomes unclear if a request may have deleted
 * many of its objects, but no response shows which objects. All namespaces become unclear if the
 * overlay has no room for a write. Callers must ensure that only one thread at a time writes. Any
 * thread can read.
 */
final class UnclearNamespaces {

  private static final Logger log = LoggerFactory.getLogger(Overlay.class);

  /**
   * The period for which a namespace is unclear.
   *
   * @param until the time at which the period ends, in nanoseconds of the scheduler
   * @param version the version that the store must also have received; -1 if there is none
   */
  private record Doubt(long until, long version) {

    boolean lasts(long now, long newest) {
      return now - until < 0 || version > newest;
    }
  }

  /** The namespace that represents all namespaces. */
  private static final String ALL = "";

  private final String what;
  private final Map<String, Doubt> byNamespace = new ConcurrentHashMap<>();
  private final AtomicLong forgotten = new AtomicLong();

  /** Creates an instance without unclear namespaces. Warnings contain the string {@code what}. */
  UnclearNamespaces(String what) {
    this.what = what;
  }

  /**
   * Marks a namespace as unclear. An empty namespace means all namespaces. The mark expires after
   * {@link UnconfirmedWrite#CONFIRMED_WITHIN}.
   */
  void add(String namespace, long now) {
    put(namespace, new Doubt(now + UnconfirmedWrite.CONFIRMED_WITHIN.toNanos(), -1));
  }

  /**
   * Records that the overlay had no room for a write that led to this version, which is -1 if the
   * version is unknown.
   */
  void forget(long version, long now) {
    forgotten.incrementAndGet();
    if (!byNamespace.containsKey(ALL)) {
      log.warn(
          "More than {} writes of {} have not arrived in the watch yet; until it has caught up,"
              + " every read of this type goes to the API server",
          Overlay.MAX_MARKS,
          what);
    }
    put(ALL, new Doubt(now + UnconfirmedWrite.FORGOTTEN_AFTER.toNanos(), version));
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

  /** Returns the number of writes for which the overlay had no room. */
  long forgotten() {
    return forgotten.get();
  }

  /**
   * Returns whether a namespace is unclear. For an empty namespace, returns whether any namespace
   * is unclear.
   */
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

  /** Drops expired entries, and returns whether any entry remains. */
  boolean sweep(long now, long newest) {
    byNamespace.values().removeIf(doubt -> !doubt.lasts(now, newest));
    return !byNamespace.isEmpty();
  }
}
