// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A local cache of the objects of one type, which notifies handlers of changes.
 *
 * <p>The cache is eventually consistent with the server. A list fills the cache, and a watch keeps
 * it up to date. An informer makes these guarantees:
 *
 * <ul>
 *   <li>Objects are identified by key. For one object, identified by uid, the cache never returns
 *       to an older state, unless a new list shows that the server itself has returned to that
 *       state, for example after a backup was restored.
 *   <li>A handler receives the events for one object in the order of its changes, on one thread at
 *       a time. The order of events for different objects is undefined. The cache is at least as
 *       new as the event being handled.
 *   <li>The informer can skip intermediate states, but never the last state or a deletion. If the
 *       watch missed a deletion, the informer reports the deletion as soon as a list reveals it,
 *       with the object's last known state.
 *   <li>Handlers are independent: a slow or failing handler delays only itself.
 *   <li>An informer retries indefinitely. {@link #problem()} returns why the cache is not up to
 *       date.
 * </ul>
 *
 * <p>See {@code docs/contracts.md} for the full contract. All methods can be called from any
 * thread, and never block.
 *
 * @param <T> the Java class of the objects
 */
public interface Informer<T> {

  /** Returns the type of the cached objects. */
  ResourceType type();

  /** Registers the given handler without resyncs. */
  default HandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
    return addEventHandler(handler, Duration.ZERO);
  }

  /**
   * Registers a handler. The handler first receives all existing objects as {@link
   * ResourceEvent.Added}, and then every change, without gaps or duplicates.
   *
   * @param resync the period after which the handler receives every object again, as a {@link
   *     ResourceEvent.Updated} whose old and new states are the same. Zero disables resyncs. The
   *     minimum is {@link SharedIndexInformer#MINIMUM_RESYNC}, to which shorter periods are raised
   * @throws IllegalStateException if the informer has been stopped
   */
  HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resync);

  /**
   * Returns the cache, which can be read by key and by index at any time. The cache is empty before
   * the first list.
   */
  Indexer<T> indexer();

  /**
   * Returns a view of the cache that is responsible for the given key, even if the object does not
   * exist. The view includes this process's writes that the watch has not delivered yet. Returns
   * empty if no cache is responsible for the key's namespace.
   */
  Optional<Overlay<T>> overlay(ObjectKey key);

  /**
   * Returns views of the caches that are responsible for a namespace. Each view includes this
   * process's writes that the watch has not delivered yet.
   *
   * @param namespace the namespace; empty for all namespaces, and for cluster-scoped objects
   */
  default List<Overlay<T>> overlays(String namespace) {
    return overlay(new ObjectKey(namespace, "any")).stream().toList();
  }

  /** Returns a lister for typed reads of the cache. */
  Lister<T> lister();

  /** Returns whether the cache contains the complete first list. */
  boolean hasSynced();

  /**
   * Returns whether one namespace's cache contains its complete first list.
   *
   * @param namespace the namespace; empty for all namespaces, and for cluster-scoped objects
   */
  default boolean hasSynced(String namespace) {
    return hasSynced();
  }

  /** Returns the reason why the cache is not up to date, or empty if there is none. */
  Optional<FeedFailure> problem();

  /** Returns the status of each list and watch of this informer. */
  List<InformerStatus> statuses();
}
