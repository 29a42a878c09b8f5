// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one cluster's informers, grouped by type. Informers of one type are counted
 * together even if their scopes or selectors differ, because the metrics do not have a label for
 * the namespace or the selector. The meters of a type are created when the first informer of the
 * type sends its first list request. They are removed when the last informer of the type has
 * stopped.
 */
final class InformerMetrics {

  /**
   * The maximum number of types that have their own series. Further types are counted together
   * under the label {@link #OTHER}.
   */
  static final int MAX_TYPES = 200;

  static final String OTHER = "other";

  private final MeterRegistry registry;
  private final String cluster;
  private final CacheStates states;
  private final Object lock = new Object();

  /**
   * The metrics, keyed by type label. Changes to this map require the lock. Reads do not, because a
   * scrape must not wait for the lock.
   */
  private final Map<String, TypeMetrics> types = new ConcurrentHashMap<>();

  @GuardedBy("lock")
  private boolean closed;

  InformerMetrics(MeterRegistry registry, String cluster, Scheduler scheduler) {
    this.registry = registry;
    this.cluster = cluster;
    this.states = new CacheStates(scheduler, this::label);
  }

  private String label(String resource) {
    return types.containsKey(resource) || types.size() < MAX_TYPES ? resource : OTHER;
  }

  /**
   * Returns a copy of the options with a listener that creates the meters of a type, and removes
   * them, and then calls the original listener.
   */
  InformerOptions counting(InformerOptions options) {
    Function<ResourceType, FeedListener> others = options.listeners();
    return options.withListeners(type -> new Life(type.resource()).and(others.apply(type)));
  }

  void watch(SharedInformerFactory factory) {
    states.watch(factory);
    factory.beforeEnd(this::count);
  }

  /** Counts what the informers of a type have done, because one of them may end. */
  private void count(ResourceType type) {
    TypeMetrics metrics = types.get(label(type.resource()));
    if (metrics != null) {
      states.forget();
      metrics.count();
    }
  }

  private @Nullable TypeMetrics acquire(String resource) {
    synchronized (lock) {
      if (closed) {
        return null;
      }
      String label = label(resource);
      TypeMetrics metrics =
          types.computeIfAbsent(
              label, l -> new TypeMetrics(registry, cluster, l, () -> states.of(l)));
      metrics.users++;
      return metrics;
    }
  }

  private void release(TypeMetrics metrics) {
    synchronized (lock) {
      if (--metrics.users == 0 && types.values().remove(metrics)) {
        metrics.close();
      }
    }
  }

  void close() {
    synchronized (lock) {
      closed = true;
      types.values().forEach(TypeMetrics::close);
      types.clear();
    }
  }

  /** Follows the life of one reflector, whose thread calls this listener. */
  private final class Life implements FeedListener {
    private final String resource;
    private @Nullable TypeMetrics metrics;
    private boolean begun;

    Life(String resource) {
      this.resource = resource;
    }

    @Override
    public void listing(ListReason reason, boolean streaming) {
      if (!begun) {
        begun = true;
        metrics = acquire(resource);
      }
    }

    @Override
    public void closed() {
      TypeMetrics ending = metrics;
      metrics = null;
      if (ending != null) {
        release(ending);
      }
    }
  }
}
