// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.UndecodableException;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.workqueue.Priority;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns events into requests: evaluates the predicate, and then calls the handler, which adds the
 * requests to the queue, with the {@linkplain RequestCause#priority priority} of their cause.
 */
final class Enqueuer<T> implements ResourceEventHandler<T> {

  private static final Logger log = LoggerFactory.getLogger(Source.class);

  /** The predicates. The handler receives an event only if every predicate accepts it. */
  private final List<? extends EventPredicate<? super T>> predicates;

  private final EventHandler<T> handler;
  private final PrioritySink sink;
  private final String cluster;

  /**
   * Creates an enqueuer.
   *
   * @param cluster the cluster of the events, or empty for the program's own cluster
   */
  Enqueuer(
      EventPredicate<? super T> predicate,
      EventHandler<T> handler,
      PrioritySink sink,
      String cluster) {
    this.predicates = AllOf.partsOf(predicate);
    this.handler = handler;
    this.sink = sink;
    this.cluster = cluster;
  }

  /**
   * Receives the requests for one event.
   *
   * @param sink the sink that receives the requests
   * @param priority the priority of the requests
   * @param cause the cause of the requests
   * @param cluster the event's cluster, or empty for the program's own cluster
   */
  record Sink(PrioritySink sink, Priority priority, RequestCause cause, String cluster)
      implements RequestSink {

    @Override
    public void add(Request request) {
      sink.add(request, priority, cause);
    }

    @Override
    public void add(ObjectKey key) {
      add(new Request(cluster, key));
    }

    @Override
    public boolean isOpen() {
      return sink.isOpen();
    }
  }

  @Override
  public void handle(ResourceEvent<T> event) {
    if (matters(event)) {
      RequestCause cause = RequestCause.of(event, cluster);
      Priority priority = cause.priority();
      try {
        handler.handle(event, new Sink(sink, priority, cause, cluster));
      } catch (Exception | Error e) { // rethrowing would pause the source
        FatalErrors.rethrow(e);
        log.error(
            "The event handler failed for {}; its event is lost", event.object(), OneLine.of(e));
      }
    } else if (event.type() == ResourceEvent.Type.DELETED
        && handler instanceof StatefulEventHandler<T> memory) {
      memory.forget(event.key());
    }
  }

  private boolean matters(ResourceEvent<T> event) {
    try {
      for (EventPredicate<? super T> predicate : predicates) {
        if (!predicate.test(event)) {
          return false;
        }
      }
      return true;
    } catch (UndecodableException e) {
      UndecodableException.Log.omitted(event.object(), e);
      return true;
    } catch (Exception | Error e) { // other languages also throw checked exceptions
      FatalErrors.rethrow(e);
      // A superfluous reconcile is harmless, but a missing reconcile would ignore a change.
      log.error("A predicate failed for {}; accepting the event", event.object(), OneLine.of(e));
      return true;
    }
  }
}
