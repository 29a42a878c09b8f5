// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.object.CachedObject;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests what a function says, each request once per event. */
final class EnqueueMapped<T> implements EventHandler<T> {

  private static final Logger log = LoggerFactory.getLogger(EventHandler.class);

  private final Function<T, ? extends Collection<Request>> requestsOf;

  EnqueueMapped(Function<T, ? extends Collection<Request>> requestsOf) {
    this.requestsOf = requestsOf;
  }

  @Override
  public void handle(ResourceEvent<T> event, RequestSink sink) {
    Set<Request> requests = new LinkedHashSet<>();
    if (event instanceof ResourceEvent.Updated<T> updated && !updated.isResync()) {
      collect(updated.old(), requests);
    }
    collect(event.object(), requests);
    requests.forEach(sink::add);
  }

  /** One state that the function can't take must not hide what it says of the other. */
  private void collect(CachedObject<T> object, Set<Request> requests) {
    try {
      requests.addAll(List.copyOf(requestsOf.apply(object.decode()))); // refuses a null request
    } catch (Exception | Error e) {
      log.error("The mapping of {} to requests failed; nothing is reconciled for it", object, e);
    }
  }
}
