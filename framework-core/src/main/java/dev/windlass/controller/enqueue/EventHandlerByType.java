// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import java.util.Map;

/**
 * An {@link EventHandler} that leaves each type of events to another one. Immutable: each method
 * gives the same with one type handled differently. Made by {@link EventHandler#byType()}, which
 * does nothing with any.
 *
 * @param <T> the type of the objects that events are about
 */
public final class EventHandlerByType<T> implements EventHandler<T> {

  private final ByType<T> handlers;

  private EventHandlerByType(ByType<T> handlers) {
    this.handlers = handlers;
  }

  static <T> EventHandlerByType<T> empty() {
    return new EventHandlerByType<>(new ByType<>(Map.of()));
  }

  /** Handles additions, those of the first list included. */
  public EventHandlerByType<T> created(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.ADDED, handler));
  }

  /** Handles updates, resyncs included. */
  public EventHandlerByType<T> updated(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.UPDATED, handler));
  }

  /** Handles deletions, those that were found out late included. */
  public EventHandlerByType<T> deleted(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.DELETED, handler));
  }

  /** Handles what does not come from the API server. */
  public EventHandlerByType<T> generic(EventHandler<T> handler) {
    return new EventHandlerByType<>(handlers.with(ResourceEvent.Type.GENERIC, handler));
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    handlers.handle(event, sink);
  }

  /** The handler for one source, with memories of its own. */
  StatefulEventHandler<T> fresh() {
    return handlers.fresh();
  }
}
