// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ResourceType;
import java.util.Collection;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Determines which objects to reconcile after an event. A handler must return quickly. One thread
 * at a time calls it. If a handler throws an exception, the source logs it, and the event does not
 * lead to further requests.
 *
 * @param <T> the type of the objects in the events
 */
@FunctionalInterface
public interface EventHandler<T> {

  /** Adds the requests that result from the given event to the sink. */
  void handle(ResourceEvent<T> event, RequestSink sink);

  /** Returns a handler that requests a reconcile of the object in the event. */
  static <T> EventHandler<T> self() {
    return (event, sink) -> sink.add(event.key());
  }

  /**
   * Returns a handler that requests a reconcile of the object's controlling owner, provided that
   * the owner is of the given type, in any API version. An update can change the owner, so the
   * handler considers both the old and the new state of the object.
   *
   * @param owners supplies the cache of the owners. The handler also requests a reconcile of an
   *     owner that is not in the cache, unless the cache contains a different object with the
   *     owner's name
   */
  static <T> EventHandler<T> owner(ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, true);
  }

  /**
   * Returns a handler that requests a reconcile of every owner of the given type, even if it is not
   * the controlling owner. In all other respects, it behaves like {@link #owner}.
   */
  static <T> EventHandler<T> everyOwner(
      ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, false);
  }

  /**
   * Returns a handler that adds the requests that a function returns for the old and the new state
   * of an object, and those that the function returned in its previous call for this object.
   *
   * @param requestsOf the function; if it throws an exception, the handler logs the exception and
   *     adds no requests for this call
   */
  static <T> EventHandler<T> mapping(Function<T, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(object -> requestsOf.apply(object.decode()));
  }

  /**
   * Returns a handler that behaves like {@link #mapping}, but passes the object to the function in
   * its cached form, whose metadata can be read without decoding.
   */
  static <T> EventHandler<T> mappingMetadata(
      Function<CachedObject<?>, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(requestsOf::apply);
  }

  /**
   * Returns a handler that requests reconciles of the objects that refer to the event's object. The
   * handler finds the referring objects in an index of their cache, under the key of the event's
   * object, such as {@code default/prices}. The referring objects must be in the same cluster as
   * the event's object.
   *
   * @param index the name of an index that maps the keys of the events' objects to the objects that
   *     refer to them
   * @param primaries supplies the cache that has the index
   */
  static <T> EventHandler<T> byIndex(String index, Supplier<? extends Indexer<?>> primaries) {
    return (event, sink) ->
        primaries
            .get()
            .byIndex(index, event.key().toString())
            .forEach(primary -> sink.add(primary.key()));
  }

  /**
   * Returns a handler that ignores all events. Call {@link ByType#created}, {@link ByType#updated}
   * and similar methods on it to set a handler for a type of event.
   */
  static <T> ByType<T> byType() {
    return ByType.empty();
  }

  /**
   * An {@link EventHandler} that delegates to a separate handler for each type of event. {@link
   * EventHandler#byType()} creates an instance that ignores all events. Instances are immutable:
   * each method returns a copy in which the handler for one type is replaced.
   *
   * @param <T> the type of the objects in the events
   */
  final class ByType<T> implements EventHandler<T> {

    private final HandlersByType<T> handlers;

    private ByType(HandlersByType<T> handlers) {
      this.handlers = handlers;
    }

    static <T> ByType<T> empty() {
      return new ByType<>(new HandlersByType<>(Map.of()));
    }

    /**
     * Returns a copy with the given handler for additions, including those from the initial list.
     */
    public ByType<T> created(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.ADDED, handler));
    }

    /** Returns a copy with the given handler for updates, including resyncs. */
    public ByType<T> updated(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.UPDATED, handler));
    }

    /**
     * Returns a copy with the given handler for deletions, including those discovered by a later
     * list.
     */
    public ByType<T> deleted(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.DELETED, handler));
    }

    /**
     * Returns a copy with the given handler for events that did not originate in the API server.
     */
    public ByType<T> generic(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.GENERIC, handler));
    }

    @Override
    public void handle(ResourceEvent<T> event, RequestSink sink) {
      handlers.handle(event, sink);
    }

    /** Returns a handler with separate state for one source. */
    StatefulEventHandler<T> fresh() {
      return handlers.fresh();
    }
  }
}
