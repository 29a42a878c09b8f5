// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.notify.HandlerRegistration;
import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The registration of one handler with several informers.
 *
 * <p>Each informer calls the handler on its own thread. A fair lock ensures that only one thread at
 * a time calls the handler. While a thread waits for the lock, it holds one event. Further events
 * remain in its informer's bounded buffer for this handler. The handler is the only user code that
 * runs under a lock. This cannot cause a deadlock, because a thread acquires the lock only to
 * deliver an event to this handler, and does not hold any other lock. A handler can therefore
 * perform any action. It can even add and remove namespaces.
 *
 * <p>All methods can be called from any thread.
 */
final class MultiNamespaceRegistration<T> implements HandlerRegistration {

  private final String name;
  private final Duration resync;
  private final Supplier<Set<String>> namespaces;
  private final Consumer<MultiNamespaceRegistration<T>> onRemoval;

  /** The handler, or null after the registration has been removed. */
  private volatile @Nullable ResourceEventHandler<T> handler;

  private final ReentrantLock turn = new ReentrantLock(true);
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  /** The result of {@link #hasSynced()} at the time of removal. */
  private volatile boolean synced;

  /**
   * The registrations with the informers, keyed by namespace. The map is immutable. Each change
   * replaces the map.
   */
  private volatile Map<String, Place> places = Map.of();

  private final Object changing = new Object();

  /**
   * Creates a registration that does not yet include any informers.
   *
   * @param namespaces a function that returns the namespaces that must have synced before {@link
   *     #hasSynced()} returns true
   * @param onRemoval the action to run when the registration is removed
   */
  MultiNamespaceRegistration(
      String name,
      ResourceEventHandler<T> handler,
      Duration resync,
      Supplier<Set<String>> namespaces,
      Consumer<MultiNamespaceRegistration<T>> onRemoval) {
    this.name = name;
    this.handler = handler;
    this.resync = resync;
    this.namespaces = namespaces;
    this.onRemoval = onRemoval;
  }

  /**
   * The registration with the informer of one namespace. It delivers each event to the handler as
   * soon as it has acquired the lock. If the namespace has been removed in the meantime, it drops
   * the event.
   */
  private final class Place implements ResourceEventHandler<T> {
    private final HandlerRegistration registration;
    private volatile boolean left;

    Place(Informer<T> informer) {
      registration = informer.addEventHandler(this, resync);
    }

    boolean hasSynced() {
      return registration.hasSynced();
    }

    void leave() {
      left = true;
      registration.remove();
    }

    @Override
    public void handle(ResourceEvent<T> event) throws Exception {
      waiting.incrementAndGet();
      turn.lock();
      try {
        waiting.decrementAndGet();
        ResourceEventHandler<T> called = handler;
        if (called != null && !left) {
          call(called, event);
        }
      } finally {
        turn.unlock();
      }
    }

    @Override
    public String toString() {
      return String.valueOf(handler);
    }
  }

  private void call(ResourceEventHandler<T> called, ResourceEvent<T> event) throws Exception {
    boolean handled = false;
    try {
      called.handle(event);
      handled = true;
    } finally {
      delivered.incrementAndGet();
      if (!handled) {
        failures.incrementAndGet();
      }
    }
  }

  /**
   * Adds a namespace. The handler first receives the existing objects in the namespace, and then
   * every change.
   */
  void join(String namespace, Informer<T> informer) {
    synchronized (changing) {
      if (handler != null) {
        Map<String, Place> more = new HashMap<>(places);
        more.put(namespace, new Place(informer));
        places = Map.copyOf(more);
      }
    }
  }

  /**
   * Removes a namespace. If a call to the handler is in progress, it continues. After that call,
   * the handler receives no further events from the namespace.
   */
  void leave(String namespace) {
    synchronized (changing) {
      Map<String, Place> fewer = new HashMap<>(places);
      Place place = fewer.remove(namespace);
      if (place != null) {
        place.leave();
        places = Map.copyOf(fewer);
      }
    }
  }

  @Override
  public void remove() {
    synchronized (changing) {
      if (handler == null) {
        return;
      }
      synced = hasSynced();
      handler = null;
      places.values().forEach(Place::leave);
      places = Map.of();
    }
    onRemoval.accept(this);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean hasSynced() {
    if (handler == null) {
      return synced;
    }
    Map<String, Place> now = places;
    return namespaces.get().stream().map(now::get).allMatch(p -> p != null && p.hasSynced());
  }

  @Override
  public int backlog() {
    return waiting.get() + registrations().stream().mapToInt(HandlerRegistration::backlog).sum();
  }

  @Override
  public Duration lag() {
    return registrations().stream()
        .map(HandlerRegistration::lag)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private Collection<HandlerRegistration> registrations() {
    return places.values().stream().map(place -> place.registration).toList();
  }

  @Override
  public long delivered() {
    return delivered.get();
  }

  @Override
  public long failures() {
    return failures.get();
  }
}
