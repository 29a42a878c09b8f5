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
 * Determines which objects to reconcile after an event. A handler must return quickly and is called
 * by one thread at a time. If it throws, the exception is logged, and the event leads to no further
 * requests.
 *
 * @param <T> the type of the objects in the events
 */
@FunctionalInterface
public interface EventHandler<T> {

  /** Puts the requests that result from an event into a sink. */
  void handle(ResourceEvent<T> event, RequestSink sink);

  /** Returns a handler that reconciles the object of the event itself. */
  static <T> EventHandler<T> self() {
    return (event, sink) -> sink.add(event.key());
  }

  /**
   * Returns a handler that reconciles the controlling owner of the object, in both its old and its
   * new state, if that owner has the given type in any version.
   *
   * @param owners the cache of the owners. An owner that is not in the cache is also reconciled,
   *     unless the cache contains another object with its name
   */
  static <T> EventHandler<T> owner(ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, true);
  }

  /**
   * Returns a handler that reconciles every owner of the given type, not only the controlling
   * owner. It otherwise behaves like {@link #owner}.
   */
  static <T> EventHandler<T> everyOwner(
      ResourceType ownerType, Supplier<? extends Indexer<?>> owners) {
    return new EnqueueOwner<>(ownerType, owners, false);
  }

  /**
   * Returns a handler that reconciles the objects that the function returns for the old and the new
   * state, and those that it returned in its previous call for this object.
   *
   * @param requestsOf the function; if it throws, the exception is logged and the call yields no
   *     requests
   */
  static <T> EventHandler<T> mapping(Function<T, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(object -> requestsOf.apply(object.decode()));
  }

  /**
   * Returns a handler that behaves like {@link #mapping}, but passes the object in its cached form.
   * Reading its metadata requires no decoding.
   */
  static <T> EventHandler<T> mappingMetadata(
      Function<CachedObject<?>, ? extends Collection<Request>> requestsOf) {
    return new EnqueueMapped<>(requestsOf::apply);
  }

  /**
   * Returns a handler that reconciles the objects that refer to the event's object: the objects
   * that an index of their cache lists under the key of the event's object, such as {@code
   * default/prices}. The objects must be in the same cluster as the event's object.
   *
   * @param index the name of an index whose values are keys of the objects in the events
   * @param primaries the cache that has the index
   */
  static <T> EventHandler<T> byIndex(String index, Supplier<? extends Indexer<?>> primaries) {
    return (event, sink) ->
        primaries
            .get()
            .byIndex(index, event.key().toString())
            .forEach(primary -> sink.add(primary.key()));
  }

  /**
   * Returns a handler that ignores all events. Use {@code created()}, {@code updated()}, ... to add
   * behaviour.
   */
  static <T> ByType<T> byType() {
    return ByType.empty();
  }

  /**
   * An {@link EventHandler} that delegates to another handler for each type of event. {@link
   * EventHandler#byType()} creates an instance that ignores all events. Instances are immutable:
   * each method returns a copy with another handler for one type.
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

    /** Returns a copy with a handler for additions, including those from the first list. */
    public ByType<T> created(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.ADDED, handler));
    }

    /** Returns a copy with a handler for updates, including resyncs. */
    public ByType<T> updated(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.UPDATED, handler));
    }

    /** Returns a copy with a handler for deletions, including those detected late. */
    public ByType<T> deleted(EventHandler<T> handler) {
      return new ByType<>(handlers.with(ResourceEvent.Type.DELETED, handler));
    }

    /** Returns a copy with a handler for events that do not come from the API server. */
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
