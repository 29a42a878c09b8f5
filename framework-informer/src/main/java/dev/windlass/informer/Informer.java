// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedFailure;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A local cache of the objects of one type, which notifies handlers of changes.
 *
 * <p>The cache is eventually consistent with the server: a list fills it and a watch keeps it up to
 * date. Guarantees:
 *
 * <ul>
 *   <li>Objects are identified by key. For one object (by uid) the cache never returns to an older
 *       state, unless a new list shows that the server has, for example after a backup was
 *       restored.
 *   <li>A handler receives the events of one object in the order of its changes, on one thread at a
 *       time; there is no order across objects. The cache is at least as new as the event being
 *       handled.
 *   <li>Intermediate states may be skipped; the last state and deletions are never skipped. A
 *       missed deletion is reported when it is detected, with the last known state.
 *   <li>Handlers are independent: a slow or failing handler delays only itself.
 *   <li>An informer retries for ever. {@link #problem()} returns why the cache is not up to date.
 * </ul>
 *
 * <p>See {@code docs/contracts.md} for the full contract. All methods may be called from any
 * thread, and none blocks.
 *
 * @param <T> the typed class of the objects
 */
public interface Informer<T> {

  /** Returns the type of the cached objects. */
  ResourceType type();

  /** Registers a handler without resyncs. */
  default HandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
    return addEventHandler(handler, Duration.ZERO);
  }

  /**
   * Registers a handler. It first receives all existing objects as {@link ResourceEvent.Added}, and
   * then every change, without gaps or duplicates.
   *
   * @param resync how often the handler receives every object again, as a {@link
   *     ResourceEvent.Updated} whose old and new states are the same; zero for never. Shorter
   *     periods are raised to {@link SharedIndexInformer#MINIMUM_RESYNC}
   * @throws IllegalStateException if the informer has been stopped
   */
  HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resync);

  /**
   * Returns the cache, readable by key and by index at any time. It is empty before the first list.
   */
  Indexer<T> indexer();

  /**
   * Returns the cache that holds this key, overlaid with the writes of this process that the watch
   * has not delivered yet; empty if no cache holds the key.
   */
  Optional<Overlay<T>> overlay(ObjectKey key);

  /**
   * Returns the caches that hold the objects of a namespace, each overlaid with the writes of this
   * process that the watch has not delivered yet.
   *
   * @param namespace empty for all namespaces, and for cluster-scoped objects
   */
  default List<Overlay<T>> overlays(String namespace) {
    return overlay(new ObjectKey(namespace, "any")).stream().toList();
  }

  /** Returns a lister for typed reads of the cache. */
  Lister<T> lister();

  /** Reports whether the cache contains the complete first list. */
  boolean hasSynced();

  /**
   * Reports whether the cache of one namespace contains its complete first list.
   *
   * @param namespace empty for all namespaces, and for cluster-scoped objects
   */
  default boolean hasSynced(String namespace) {
    return hasSynced();
  }

  /** Returns why the cache is not up to date; empty while it is. */
  Optional<FeedFailure> problem();

  /** Returns the status of each list and watch that this informer consists of. */
  List<InformerStatus> statuses();
}
