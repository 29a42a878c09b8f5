// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.ObjectKey;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An event handler that has at most one handler for each type of event. Instances are immutable,
 * except that the handlers can have state.
 */
final class HandlersByType<T> implements StatefulEventHandler<T> {

  private final Map<ResourceEvent.Type, EventHandler<T>> handlers;

  HandlersByType(Map<ResourceEvent.Type, EventHandler<T>> handlers) {
    this.handlers = handlers;
  }

  /** Returns a copy that uses the given handler for one type of event. */
  HandlersByType<T> with(ResourceEvent.Type type, EventHandler<T> handler) {
    Map<ResourceEvent.Type, EventHandler<T>> more = new EnumMap<>(ResourceEvent.Type.class);
    more.putAll(handlers);
    more.put(type, handler);
    return new HandlersByType<>(more);
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    EventHandler<T> handler = handlers.get(event.type());
    if (handler != null) {
      handler.handle(event, sink);
    }
    if (event.type() == ResourceEvent.Type.DELETED) {
      forget(event.key()); // the other handlers did not receive the event
    }
  }

  /**
   * Returns a copy whose handlers have their own state. A handler that is used for several types is
   * copied only once, so that these types continue to share its state.
   */
  @Override
  public StatefulEventHandler<T> fresh() {
    IdentityHashMap<EventHandler<T>, EventHandler<T>> copies = new IdentityHashMap<>();
    Map<ResourceEvent.Type, EventHandler<T>> own = new EnumMap<>(ResourceEvent.Type.class);
    handlers.forEach(
        (type, handler) ->
            own.put(type, copies.computeIfAbsent(handler, StatefulEventHandler::own)));
    return new HandlersByType<>(own);
  }

  @Override
  public void forget(ObjectKey key) {
    forEachMemory(memory -> memory.forget(key));
  }

  @Override
  public void forgetNamespace(String namespace) {
    forEachMemory(memory -> memory.forgetNamespace(namespace));
  }

  private void forEachMemory(Consumer<StatefulEventHandler<T>> action) {
    for (EventHandler<T> handler : handlers.values()) {
      if (handler instanceof StatefulEventHandler<T> memory) {
        action.accept(memory);
      }
    }
  }
}
