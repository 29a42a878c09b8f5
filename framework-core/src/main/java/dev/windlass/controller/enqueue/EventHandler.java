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
 * Determines which objects to reconcile after an event. A handler must return quickly. A source
 * calls its handler from one thread at a time. If a handler throws an exception, the source logs it
 * and keeps the requests that the handler has already added.
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
   * Returns a handler that requests a reconcile of the object's controlling owner if this owner has
   * the given type, in any API version. If an update changes the owner, the handler requests
   * reconciles of both the old and the new owner.
   *
   * @param owners supplies the cache of the owners. If it contains an object with the owner's name
   *     but a different UID, the handler ignores all events except deletions. It does not ignore an
   *     owner that is missing from the cache
   */
  static <T> EventHandler<T> owner(ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, true);
  }

  /**
   * Returns a handler that requests a reconcile of every owner of the given type, whether or not it
   * is the controlling owner. In all other respects, it behaves like {@link #owner}.
   */
  static <T> EventHandler<T> everyOwner(
      ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, false);
  }

  /**
   * Returns a handler that uses a function to map an object to requests. For an update, the handler
   * calls the function with the old and the new version of the object and adds the requests for
   * both. It also adds the requests from the previous event for the object.
   *
   * @param requestsOf the function. If it throws an exception, the handler logs the exception and
   *     adds no requests for this call. A function that lists objects should use {@code
   *     Client.listReadable} or an index, so that it does not fail because of a single object
   */
  static <T> EventHandler<T> mapping(Function<T, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(object -> requestsOf.apply(object.decode()));
  }

  /**
   * Returns a handler that behaves like {@link #mapping}, but passes the cached form of the object
   * to the function. The function can read the metadata without decoding the object.
   */
  static <T> EventHandler<T> mappingMetadata(
      Function<CachedObject<?>, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(requestsOf::apply);
  }

  /**
   * Returns a handler that requests reconciles of the objects that refer to the event's object. To
   * find these objects, the handler looks up the key of the event's object, such as {@code
   * default/prices}, in an index. The referring objects must be in the same cluster as the event's
   * object.
   *
   * @param index the name of the index. For each object, its index function must return the keys of
   *     the objects to which the object refers
   * @param primaries supplies the cache of the referring objects, which must have the index
   */
  static <T> EventHandler<T> byIndex(String index, Supplier<? extends Indexer<?>> primaries) {
    return (event, sink) ->
        primaries
            .get()
            .byIndex(index, event.key().toString())
            .forEach(primary -> sink.add(primary.key()));
  }

  /**
   * Returns a handler that ignores all events. Call its methods, such as {@link ByType#created} and
   * {@link ByType#updated}, to set a handler for each type of event.
   */
  static <T> ByType<T> byType() {
    return ByType.empty();
  }

  /**
   * An {@link EventHandler} that delegates to a separate handler for each type of event. {@link
   * EventHandler#byType()} creates an instance that ignores all events. Instances are immutable. A
   * method that sets a handler returns a copy with this handler.
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

    /** Returns a copy of this handler that shares no state with it. */
    StatefulEventHandler<T> fresh() {
      return handlers.fresh();
    }
  }
}
