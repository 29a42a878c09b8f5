// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.Informer;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From an event to requests: predicate, handler, queue. What merely exists (the first list, a
 * resync) gets the low priority, so that it does not hold up what changes.
 */
final class InformerSource<T> implements Source {

  private static final Logger log = LoggerFactory.getLogger(Source.class);

  private final Informer<T> informer;
  private final Predicate<? super T> predicate;
  private final EventHandler<T> handler;
  private final Duration resync;
  private final Runnable startInformer;

  InformerSource(
      Informer<T> informer,
      Predicate<? super T> predicate,
      EventHandler<T> handler,
      Duration resync,
      Runnable startInformer) {
    this.informer = informer;
    this.predicate = predicate;
    this.handler = handler;
    this.resync = resync;
    this.startInformer = startInformer;
  }

  @Override
  public Running start(PrioritySink sink) {
    HandlerRegistration registration =
        informer.addEventHandler(event -> enqueue(event, sink), resync);
    boolean started = false;
    try {
      startInformer.run();
      started = true;
    } finally {
      if (!started) {
        registration.remove();
      }
    }
    return new Running() {
      @Override
      public boolean hasSynced() {
        return registration.hasSynced();
      }

      @Override
      public Optional<String> trouble() {
        return informer.trouble().map(failure -> informer.type().resource() + ": " + failure);
      }

      @Override
      public void stop() {
        registration.remove();
      }
    };
  }

  private void enqueue(ResourceEvent<T> event, PrioritySink sink) {
    if (matters(event)) {
      Priority priority = merelyExists(event) ? Priority.LOW : Priority.NORMAL;
      try {
        handler.handle(event, request -> sink.add(request, priority));
      } catch (Exception | Error e) { // a lane would rest after it, and other objects with it
        log.error("The event handler failed on {}, which leads to nothing", event.object(), e);
      }
    }
  }

  private boolean matters(ResourceEvent<T> event) {
    try {
      return predicate.test(event);
    } catch (Exception | Error e) { // other languages throw checked ones, too
      // One reconcile too many does no harm; one too few is a change that nobody acts on.
      log.error("A predicate failed on {}, which is reconciled therefore", event.object(), e);
      return true;
    }
  }

  private static boolean merelyExists(ResourceEvent<?> event) {
    return event instanceof ResourceEvent.Added<?> added
        ? added.initial()
        : event instanceof ResourceEvent.Updated<?> updated && updated.isResync();
  }
}
