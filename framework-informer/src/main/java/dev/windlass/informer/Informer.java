// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.feed.FeedFailure;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Lister;
import dev.windlass.informer.index.Overlay;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A local copy of objects of one type, and news of their changes.
 *
 * <p>The copy is eventually the server's state: it is filled by a list and kept up by a watch. What
 * holds on the way:
 *
 * <ul>
 *   <li>An object is identified by its key. For one object (by uid) the copy never goes back in
 *       time, unless a new list shows that the server has, as after a backup was restored.
 *   <li>A handler hears of one object in the order of its changes, by one thread at a time; of
 *       different objects in any order. The copy is at least as new as the event that is handled.
 *   <li>States in between may be skipped; the last state and deletions are not. A deletion that was
 *       missed is reported when it is found out, with the last known state.
 *   <li>Handlers are independent: a slow or failing one delays only itself.
 *   <li>It never gives up. {@link #trouble()} says why it is not up to date.
 * </ul>
 *
 * <p>{@code docs/contracts.md} says all of this at length. All methods may be called from any
 * thread, and none blocks.
 *
 * @param <T> the typed class of the objects
 */
public interface Informer<T> {

  /** The type whose objects this copies. */
  ResourceType type();

  /** Adds a handler that hears of changes only. */
  default HandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
    return addEventHandler(handler, Duration.ZERO);
  }

  /**
   * Adds a handler. It first hears of all objects that there are, as {@link ResourceEvent.Added},
   * and then of every change, without gap or double.
   *
   * @param resync how often every object is shown to this handler again, as an {@link
   *     ResourceEvent.Updated} whose states are the same one; zero for never; at least {@link
   *     SharedIndexInformer#MINIMUM_RESYNC}
   * @throws IllegalStateException if the informer was stopped (002-28)
   */
  HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resync);

  /** The copy, by key and by index. Readable at any time; empty before the first list. */
  Indexer<T> indexer();

  /**
   * What the copy that holds this key will be like when it has caught up with what this process
   * wrote; empty if none holds it.
   */
  Optional<Overlay<T>> overlay(ObjectKey key);

  /**
   * What the copies that hold the objects of a namespace will be like when they have caught up with
   * what this process wrote.
   *
   * @param namespace empty for all, and for objects that live in none
   */
  default List<Overlay<T>> overlays(String namespace) {
    return overlay(new ObjectKey(namespace, "any")).stream().toList();
  }

  /** Typed reads of the copy. */
  Lister<T> lister();

  /** Whether the copy holds at least what the first list held. */
  boolean hasSynced();

  /**
   * Whether the copy of one namespace holds at least what its first list held.
   *
   * @param namespace empty for all, and for objects that live in none
   */
  default boolean hasSynced(String namespace) {
    return hasSynced();
  }

  /** Why the copy is not up to date; empty while it is. */
  Optional<FeedFailure> trouble();

  /** How it is, with one entry for each list and watch of which it consists. */
  List<InformerStatus> statuses();
}
