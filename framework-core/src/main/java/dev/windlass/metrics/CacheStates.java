// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The states of a factory's informers, combined by type. This class caches the states briefly,
 * because one scrape reads them dozens of times.
 */
final class CacheStates {

  /**
   * How long the states are cached: 500 ms, which is the refresh interval of gauges in
   * controller-runtime.
   */
  static final long KEPT_NANOS = 500_000_000;

  private final Scheduler scheduler;

  private final UnaryOperator<String> labels;

  private volatile @Nullable SharedInformerFactory factory;

  @GuardedBy("this")
  private Map<String, CacheState> states = Map.of();

  @GuardedBy("this")
  private long at;

  @GuardedBy("this")
  private boolean known;

  CacheStates(Scheduler scheduler, UnaryOperator<String> labels) {
    this.scheduler = scheduler;
    this.labels = labels;
  }

  void watch(SharedInformerFactory informers) {
    factory = informers;
  }

  /** Makes the next call read the informers again. */
  synchronized void forget() {
    known = false;
  }

  synchronized CacheState of(String label) {
    long now = scheduler.nanoTime();
    if (!known || now - at >= KEPT_NANOS) {
      states = look();
      at = now;
      known = true;
    }
    return states.getOrDefault(label, CacheState.NOTHING);
  }

  private Map<String, CacheState> look() {
    SharedInformerFactory informers = factory;
    if (informers == null) {
      return Map.of();
    }
    Map<String, List<CacheState.Seen>> found = new HashMap<>();
    for (SharedIndexInformer<?> informer : informers.informers()) {
      found
          .computeIfAbsent(labels.apply(informer.type().resource()), l -> new ArrayList<>())
          .add(new CacheState.Seen(informer, informer.status()));
    }
    Map<String, CacheState> result = new HashMap<>();
    found.forEach((label, seen) -> result.put(label, new CacheState(seen)));
    return result;
  }
}
