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
 * A local cache of the objects of one type. It notifies handlers of changes.
 *
 * <p>The cache is eventually consistent with the server. A list fills the cache, and a watch keeps
 * it up to date. An informer makes these guarantees:
 *
 * <ul>
 *   <li>The key of an object is its namespace and name. Objects with the same key but different
 *       uids are different objects. The cache never returns to an earlier version of an object,
 *       unless a new list shows that the server has done so, for example because a backup was
 *       restored.
 *   <li>A handler receives the events for one object in the order of its changes. It is called on
 *       one thread at a time. The order of events for different objects is undefined. When a
 *       handler receives an event, the cache already reflects this event and may reflect later
 *       ones.
 *   <li>The informer can skip intermediate versions of an object, but never the latest version or
 *       the deletion. If the watch missed a deletion, the informer detects it from the next list
 *       and reports it with the last known version of the object.
 *   <li>Handlers are independent. A slow or failing handler delays only itself.
 *   <li>An informer retries indefinitely. If the cache is not up to date, {@link #problem()}
 *       returns the reason.
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
   * @param resync the resync period, or zero for no resyncs. In each resync, the handler receives
   *     every object as a {@link ResourceEvent.Updated} without changes. The period is raised to
   *     {@link SharedIndexInformer#MINIMUM_RESYNC} if it is shorter
   * @throws IllegalStateException if the informer has been stopped
   */
  HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resync);

  /**
   * Returns the cache, which can be read by key and by index at any time. The cache is empty before
   * the first list.
   */
  Indexer<T> indexer();

  /**
   * Returns a view of the cache that covers the given key's namespace. The view includes this
   * process's writes that the watch has not delivered yet. The object does not have to exist.
   * Returns empty if no cache covers the namespace.
   */
  Optional<Overlay<T>> overlay(ObjectKey key);

  /**
   * Returns views of the caches that cover a namespace. Each view includes this process's writes
   * that the watch has not delivered yet.
   *
   * @param namespace the namespace; empty for all namespaces, and for cluster-scoped objects
   */
  default List<Overlay<T>> overlays(String namespace) {
    return overlay(new ObjectKey(namespace, "any")).stream().toList();
  }

  /** Returns a lister for typed reads of the cache. */
  Lister<T> lister();

  /** Returns whether the cache has received the complete initial list. */
  boolean hasSynced();

  /**
   * Returns whether the cache of one namespace has received the complete initial list.
   *
   * @param namespace the namespace; empty for all namespaces, and for cluster-scoped objects
   */
  default boolean hasSynced(String namespace) {
    return hasSynced();
  }

  /** Returns the reason why the cache is not up to date, or empty if it is up to date. */
  Optional<FeedFailure> problem();

  /** Returns the status of each list and watch of this informer. */
  List<InformerStatus> statuses();
}
