// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ResourceType;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes one informer per type and scope, however often it is asked for, so that all who watch a
 * type share one connection and one copy.
 *
 * <p>All methods may be called from any thread.
 */
public final class SharedInformerFactory {

  /** How a factory reaches the API server. */
  @FunctionalInterface
  public interface Connector {

    /** Lists and watches of a type. */
    ListerWatcher connect(ResourceType type, WatchScope scope);
  }

  private record Key(Class<?> type, WatchScope scope) {}

  private final Connector connector;
  private final WatchScope defaultScope;
  private final InformerOptions options;
  private final Scheduler scheduler;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final Map<Key, SharedIndexInformer<?>> informers = new LinkedHashMap<>();

  @GuardedBy("lock")
  private final List<SharedIndexInformer<?>> started = new ArrayList<>();

  @GuardedBy("lock")
  private boolean shutDown;

  /**
   * A factory without informers.
   *
   * @param defaultScope of informers that are asked for without one
   */
  public SharedInformerFactory(
      Connector connector, WatchScope defaultScope, InformerOptions options) {
    this.connector = connector;
    this.defaultScope = defaultScope;
    this.options = options;
    this.scheduler = options.scheduler();
  }

  /** The scope of informers that are asked for without one. */
  public WatchScope defaultScope() {
    return defaultScope;
  }

  /** The informer of a type in the default scope; made, but not started, when first asked for. */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type) {
    return informer(type, defaultScope);
  }

  /** The informer of a type in a scope; made, but not started, when first asked for. */
  public <T extends HasMetadata> SharedIndexInformer<T> informer(Class<T> type, WatchScope scope) {
    synchronized (lock) {
      @SuppressWarnings("unchecked") // the key holds the class of the value
      SharedIndexInformer<T> informer =
          (SharedIndexInformer<T>)
              informers.computeIfAbsent(new Key(type, scope), key -> make(type, scope));
      return informer;
    }
  }

  private <T extends HasMetadata> SharedIndexInformer<T> make(Class<T> type, WatchScope scope) {
    ObjectCodec<T> codec = ObjectCodec.of(type);
    return new SharedIndexInformer<>(codec, connector.connect(codec.type(), scope), options);
  }

  /** The informer of a type in the default scope, if somebody has asked for it. */
  public <T extends HasMetadata> Optional<SharedIndexInformer<T>> existing(Class<T> type) {
    synchronized (lock) {
      @SuppressWarnings("unchecked") // the key holds the class of the value
      SharedIndexInformer<T> informer =
          (SharedIndexInformer<T>) informers.get(new Key(type, defaultScope));
      return Optional.ofNullable(informer);
    }
  }

  /** All informers, in the order in which they were first asked for. */
  public List<SharedIndexInformer<?>> informers() {
    synchronized (lock) {
      return List.copyOf(informers.values());
    }
  }

  /**
   * Starts those informers that have not been started. May be called again after others were asked
   * for; does nothing after {@link #shutDown} (001-21).
   */
  public void start() {
    synchronized (lock) {
      if (shutDown) {
        return;
      }
      for (SharedIndexInformer<?> informer : informers.values()) {
        if (!started.contains(informer)) {
          started.add(informer);
          informer.start();
        }
      }
    }
  }

  /**
   * Stops all informers.
   *
   * @param limit for all of them together
   * @return whether all their threads ended in time
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  public boolean shutDown(Duration limit) throws InterruptedException {
    List<SharedIndexInformer<?>> all;
    synchronized (lock) {
      shutDown = true;
      all = List.copyOf(informers.values());
    }
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    boolean ended = true;
    for (SharedIndexInformer<?> informer : all) {
      ended &= informer.stop(Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime())));
    }
    return ended;
  }
}
