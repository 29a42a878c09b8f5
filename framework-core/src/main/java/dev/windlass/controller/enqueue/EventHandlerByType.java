// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.ObjectKey;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * An {@link EventHandler} that leaves each type of events to another one. Immutable: each method
 * gives the same with one type handled differently. Made by {@link EventHandler#byType()}, which
 * does nothing with any.
 *
 * @param <T> the type of the objects that events are about
 */
public final class EventHandlerByType<T> implements Remembering<T> {

  private final Map<ResourceEvent.Type, EventHandler<T>> handlers;

  private EventHandlerByType(Map<ResourceEvent.Type, EventHandler<T>> handlers) {
    this.handlers = handlers;
  }

  static <T> EventHandlerByType<T> empty() {
    return new EventHandlerByType<>(Map.of());
  }

  /** Handles additions, those of the first list included. */
  public EventHandlerByType<T> created(EventHandler<T> handler) {
    return with(ResourceEvent.Type.ADDED, handler);
  }

  /** Handles updates, resyncs included. */
  public EventHandlerByType<T> updated(EventHandler<T> handler) {
    return with(ResourceEvent.Type.UPDATED, handler);
  }

  /** Handles deletions, those that were found out late included. */
  public EventHandlerByType<T> deleted(EventHandler<T> handler) {
    return with(ResourceEvent.Type.DELETED, handler);
  }

  /** Handles what does not come from the API server. */
  public EventHandlerByType<T> generic(EventHandler<T> handler) {
    return with(ResourceEvent.Type.GENERIC, handler);
  }

  private EventHandlerByType<T> with(ResourceEvent.Type type, EventHandler<T> handler) {
    Map<ResourceEvent.Type, EventHandler<T>> more = new EnumMap<>(ResourceEvent.Type.class);
    more.putAll(handlers);
    more.put(type, handler);
    return new EventHandlerByType<>(more);
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    EventHandler<T> handler = handlers.get(event.type());
    if (handler != null) {
      handler.handle(event, sink);
    }
    if (event.type() == ResourceEvent.Type.DELETED) {
      forget(event.key()); // the other handlers did not hear of it
    }
  }

  /** One that stands for several types stays one, so that it remembers as one. */
  @Override
  public Remembering<T> fresh() {
    IdentityHashMap<EventHandler<T>, EventHandler<T>> copies = new IdentityHashMap<>();
    Map<ResourceEvent.Type, EventHandler<T>> own = new EnumMap<>(ResourceEvent.Type.class);
    handlers.forEach(
        (type, handler) -> own.put(type, copies.computeIfAbsent(handler, Remembering::own)));
    return new EventHandlerByType<>(own);
  }

  @Override
  public void forget(ObjectKey key) {
    for (EventHandler<T> handler : handlers.values()) {
      if (handler instanceof Remembering<T> memory) {
        memory.forget(key);
      }
    }
  }

  @Override
  public void recall(RequestSink sink) {
    for (EventHandler<T> handler : handlers.values()) {
      if (handler instanceof Remembering<T> memory) {
        memory.recall(sink);
      }
    }
  }
}
