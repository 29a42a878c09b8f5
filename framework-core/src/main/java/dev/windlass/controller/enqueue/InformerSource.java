// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.enqueue;

import dev.windlass.informer.Informer;
import dev.windlass.informer.index.Indexer;
import dev.windlass.informer.index.Store;
import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the objects that an informer copies; made by {@link Source#informer}.
 *
 * <p>It has the informer from a start until the stop that follows, and no longer. A source that is
 * started again hears of every object anew, and asks besides for what its handler remembers to have
 * asked for: an object may have lost a link, or gone, while nobody looked.
 *
 * @param <T> the typed class of the objects
 */
public final class InformerSource<T> implements Source {

  /** How a run gets its informer. */
  @FunctionalInterface
  interface Access<T> {
    Opened<T> open();
  }

  /**
   * An informer that somebody may use.
   *
   * @param start makes sure that it runs
   * @param close gives it up
   */
  record Opened<T>(Informer<T> informer, Runnable start, Runnable close) {}

  private final Access<T> access;
  private final Predicate<? super T> predicate;
  private final EventHandler<T> handler;
  private final Duration resync;
  private final Indexer<T> nothing = Store.create();

  /** Null while the source does not run. */
  private volatile @Nullable Opened<T> current;

  InformerSource(
      Access<T> access, Predicate<? super T> predicate, EventHandler<T> handler, Duration resync) {
    this.access = access;
    this.predicate = predicate;
    this.handler = Remembering.own(handler);
    this.resync = resync;
  }

  /** What the informer copies; empty while the source does not run. */
  public Indexer<T> indexer() {
    Opened<T> opened = current;
    return opened == null ? nothing : opened.informer().indexer();
  }

  @Override
  public Running start(PrioritySink sink) {
    Opened<T> opened = access.open();
    Gate gate = new Gate(sink);
    HandlerRegistration registration = null;
    boolean started = false;
    current = opened; // before any event, so that an owner that was heard of is found
    try {
      if (handler instanceof Remembering<T> memory) {
        Cause cause = new Cause(opened.informer().type().kind(), Cause.What.ALL, null);
        memory.recall(request -> gate.add(request, Priority.LOW, cause));
      }
      registration =
          opened.informer().addEventHandler(new Enqueuer<>(predicate, handler, gate), resync);
      opened.start().run();
      started = true;
    } finally {
      if (!started) {
        end(opened, registration, gate);
      }
    }
    return new Run(opened, registration, gate);
  }

  private void end(Opened<T> opened, @Nullable HandlerRegistration registration, Gate gate) {
    gate.close();
    if (registration != null) {
      registration.remove();
    }
    if (opened.equals(current)) {
      current = null;
    }
    opened.close().run();
  }

  @Override
  public String toString() {
    return "the informer source " + access;
  }

  private final class Run implements Running {
    private final Opened<T> opened;
    private final HandlerRegistration registration;
    private final Gate gate;

    Run(Opened<T> opened, HandlerRegistration registration, Gate gate) {
      this.opened = opened;
      this.registration = registration;
      this.gate = gate;
    }

    @Override
    public boolean hasSynced() {
      return registration.hasSynced();
    }

    @Override
    public Optional<String> trouble() {
      Informer<T> informer = opened.informer();
      return informer.trouble().map(failure -> informer.type().resource() + ": " + failure);
    }

    @Override
    public void stop() {
      end(opened, registration, gate);
    }
  }
}
