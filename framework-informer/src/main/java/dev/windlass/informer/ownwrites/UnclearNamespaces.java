// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.ownwrites;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the namespaces in which all keys are {@linkplain Overlay#isUnclear unclear}. This is the
 * case after a request that may have deleted many objects in a namespace, if no response shows
 * which objects were deleted. If the overlay has no room to record a write, all namespaces are
 * unclear. Callers must ensure that only one thread at a time writes. Any thread can read.
 */
final class UnclearNamespaces {

  private static final Logger log = LoggerFactory.getLogger(Overlay.class);

  /**
   * The conditions for the end of an unclear period. Both must be met.
   *
   * @param until the earliest time at which the period can end, in nanoseconds on the scheduler's
   *     clock
   * @param version the version that the store must have received; -1 if there is no such condition
   */
  private record Doubt(long until, long version) {

    boolean lasts(long now, long newest) {
      return now - until < 0 || version > newest;
    }
  }

  /** The key that stands for all namespaces. */
  private static final String ALL = "";

  private final String what;
  private final Map<String, Doubt> byNamespace = new ConcurrentHashMap<>();
  private final AtomicLong forgotten = new AtomicLong();

  /**
   * Creates an instance in which no namespace is unclear.
   *
   * @param what the name of the resource, for warnings
   */
  UnclearNamespaces(String what) {
    this.what = what;
  }

  /**
   * Records that the keys in a namespace are unclear for {@link UnconfirmedWrite#CONFIRMED_WITHIN}.
   * An empty string means all namespaces.
   */
  void add(String namespace, long now) {
    put(namespace, new Doubt(now + UnconfirmedWrite.CONFIRMED_WITHIN.toNanos(), -1));
  }

  /**
   * Records that the overlay had no room to record a write. All namespaces then become unclear.
   *
   * @param version the version that the write produced; -1 if it is unknown
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

  long forgotten() {
    return forgotten.get();
  }

  /**
   * Returns whether the given namespace is unclear. For an empty string, returns whether any
   * namespace is unclear.
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

  /** Removes the entries whose period has ended. Returns whether any entry remains. */
  boolean sweep(long now, long newest) {
    byNamespace.values().removeIf(doubt -> !doubt.lasts(now, newest));
    return !byNamespace.isEmpty();
  }
}
