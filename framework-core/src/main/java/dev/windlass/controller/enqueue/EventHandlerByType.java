// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import java.util.Map;

/**
 * An {@link EventHandler} that delegates to another handler for each type of event. Immutable: each
 * method returns a copy with one type handled differently. Created by {@link
 * EventHandler#byType()}, which ignores all events.
 *
 * @param <T> the type of the objects in the events
 */
public final class EventHandlerByType<T> implements EventHandler<T> {

  private final ByType<T> handlers;

  private EventHandlerByType(ByType<T> handlers) {
    this.handlers = handlers;
  }

  static <T> EventHandlerByType<T> empty() {
    return new EventHandlerByType<>(new ByType<>(Map.of()));
  }

  /** Returns a copy with a handler for additions, including those of the first list. */
  public EventHandlerByType<T> created(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.ADDED, handler));
  }

  /** Returns a copy with a handler for updates, including resyncs. */
  public EventHandlerByType<T> updated(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.UPDATED, handler));
  }

  /** Returns a copy with a handler for deletions, including those detected late. */
  public EventHandlerByType<T> deleted(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.DELETED, handler));
  }

  /** Returns a copy with a handler for events that do not come from the API server. */
  public EventHandlerByType<T> generic(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.GENERIC, handler));
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    handlers.handle(event, sink);
  }

  /** Returns the handler for one source, with its own state. */
  StatefulEventHandler<T> fresh() {
    return handlers.fresh();
  }
}
