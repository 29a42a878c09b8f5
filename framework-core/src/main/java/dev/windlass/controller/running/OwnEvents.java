// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.WriterContext;
import dev.windlass.client.WriterContext.Write;
import dev.windlass.client.WriterContext.Written;
import dev.windlass.controller.enqueue.RequestCause.Change;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.object.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Recognises the events that a controller's own reconciles have caused. An event is a request's own
 * event if two conditions are met. First, the new version in the event is the version that the
 * server returned for a write by a reconcile of this request. Second, this write replaced the old
 * version in the event, so no other writer changed the object in between. This class also
 * recognises an event that combines several consecutive writes, because a cache can merge their
 * events.
 *
 * <p>This class observes only writes for which it is known which version they replace; see {@link
 * Write}. Events that other writes have caused are never a request's own events.
 *
 * <p>An event can arrive before the response to the write that caused it. While a reconcile has a
 * write in flight, this class therefore holds back events that lead to the same request and concern
 * objects of the written type in the same namespace. When the response arrives, this class ignores
 * or releases them. If the reconciler waits for its writes, this delays no reconcile, because the
 * request is still being processed.
 *
 * <p>This class is thread-safe. It calls listeners and adds requests without holding a lock.
 */
final class OwnEvents {

  /**
   * The maximum number of written versions that are stored: 1,000. Events for older versions are
   * not recognised.
   */
  static final int REMEMBERED = 1_000;

  /** Identifies the objects of one type in one namespace of a cluster. */
  private record Collection(String cluster, String group, String plural, String namespace) {

    static Collection of(Write write) {
      return new Collection(write.cluster(), write.group(), write.plural(), write.namespace());
    }

    static Collection of(Change change, ObjectKey key) {
      return new Collection(
          change.cluster(), change.type().group(), change.type().plural(), key.namespace());
    }
  }

  /** A version of an object that a reconcile of a request has written. */
  private record State(Request request, Collection collection, String name, long version) {}

  /** Identifies the writes in flight by reconciles of one request to one collection. */
  private record Writer(Request request, Collection collection) {}

  /** An event that is held back until the outcome of a write is known. */
  private record Waiting(Change change, String name, Runnable add) {}

  private static final class InFlight {
    private int writes;
    private final List<Waiting> events = new ArrayList<>(2);
  }

  /** A map that drops its oldest entry when it is full. */
  private static final class Recent<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > REMEMBERED;
    }
  }

  private final Consumer<Request> onIgnored;

  /** Maps each written version to the version that it replaced. */
  @GuardedBy("this")
  private final Recent<State, Long> replaced = new Recent<>();

  @GuardedBy("this")
  private final Map<Writer, InFlight> inFlight = new HashMap<>();

  /** The number of events that were ignored for each request since its last reconcile. */
  @GuardedBy("this")
  private final Recent<Request, Integer> ignored = new Recent<>();

  /**
   * Creates an instance that has not recorded any writes yet.
   *
   * @param onIgnored receives the request of each event that this class ignores
   */
  OwnEvents(Consumer<Request> onIgnored) {
    this.onIgnored = onIgnored;
  }

  /** Returns an observer for the writes of the given request's reconciles. */
  WriterContext.Observer of(Request request) {
    return write -> begin(request, write);
  }

  private Written begin(Request request, Write write) {
    Writer writer = new Writer(request, Collection.of(write));
    InFlight flight;
    synchronized (this) {
      flight = inFlight.computeIfAbsent(writer, w -> new InFlight());
      flight.writes++;
    }
    return (name, version) -> {
      if (version > write.replaced()) { // otherwise the write failed or had no effect
        remember(new State(request, writer.collection(), name, version), write.replaced());
      }
      finish(writer, flight);
    };
  }

  private synchronized void remember(State state, long base) {
    replaced.put(state, base);
  }

  private void finish(Writer writer, InFlight flight) {
    int own = 0;
    List<Runnable> others = new ArrayList<>(0);
    synchronized (this) {
      flight.writes--;
      List<Waiting> undecided = new ArrayList<>(flight.events);
      flight.events.clear();
      for (Waiting event : undecided) {
        if (isOwn(writer, event.name(), event.change())) {
          own++;
        } else if (flight.writes == 0) {
          others.add(event.add());
        } else {
          flight.events.add(event);
        }
      }
      if (flight.writes == 0) {
        inFlight.remove(writer);
      }
      count(writer.request(), own);
    }
    for (int i = 0; i < own; i++) {
      onIgnored.accept(writer.request());
    }
    others.forEach(Runnable::run);
  }

  /**
   * Determines whether a change to an object leads to a reconcile of a request. If a reconcile of
   * this request made the change, this method ignores it. If a write in flight may have made the
   * change, this method postpones the decision until the outcome of the write is known.
   *
   * @param add adds the request; runs immediately or after the postponed decision, unless the
   *     change is ignored
   */
  void decide(Request request, ObjectKey key, Change change, Runnable add) {
    Writer writer = new Writer(request, Collection.of(change, key));
    boolean own;
    synchronized (this) {
      own = isOwn(writer, key.name(), change);
      if (own) {
        count(request, 1);
      } else {
        InFlight flight = inFlight.get(writer);
        if (flight != null) {
          flight.events.add(new Waiting(change, key.name(), add));
          return;
        }
      }
    }
    if (own) {
      onIgnored.accept(request);
    } else {
      add.run();
    }
  }

  /**
   * Returns whether consecutive writes for the request lead from the old version to the new one.
   */
  @GuardedBy("this")
  private boolean isOwn(Writer writer, String name, Change change) {
    long version = change.to();
    while (version != change.from()) {
      Long base = replaced.get(new State(writer.request(), writer.collection(), name, version));
      if (base == null) {
        return false;
      }
      version = base;
    }
    return change.to() != change.from();
  }

  @GuardedBy("this")
  private void count(Request request, int events) {
    if (events > 0) {
      ignored.merge(request, events, Integer::sum);
    }
  }

  /**
   * Returns the number of events that were ignored for a request since the last call with this
   * request.
   */
  synchronized int takeIgnored(Request request) {
    Integer events = ignored.remove(request);
    return events == null ? 0 : events;
  }

  /** Returns the number of stored versions plus the number of entries for writes in flight. */
  synchronized int size() {
    return replaced.size() + inFlight.size();
  }
}
