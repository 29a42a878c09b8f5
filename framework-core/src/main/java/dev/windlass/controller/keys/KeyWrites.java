// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.keys;

import dev.windlass.client.pipeline.WriterContext.Write;
import dev.windlass.controller.enqueue.RequestCause;
import dev.windlass.controller.enqueue.RequestCause.Change;
import dev.windlass.object.ObjectKey;
import dev.windlass.workqueue.Priority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Recognises the events that a request's own reconciles have caused, in a controller that ignores
 * them. A part of {@link KeyState}.
 *
 * <p>An event is the request's own event if its new version is the version that the server returned
 * for a write by a reconcile of this request, and this write replaced the event's old version, so
 * that no other writer changed the object in between. Because a cache can merge events, an event
 * can also combine several consecutive writes. Only writes for which it is known which version they
 * replace count; see {@link Write}.
 *
 * <p>An event can arrive before the response to the write that caused it. While a write is in
 * flight, events about objects of the written type in the same namespace therefore wait for the
 * response. If the reconciler waits for its writes, this delays no reconcile, because the request
 * is still being processed.
 */
final class KeyWrites {

  /** The maximum number of written versions that are stored for a request: 1,000. */
  static final int REMEMBERED = 1_000;

  /** The time for which the versions are stored after the last write: 1 min. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  enum Verdict {
    ADD,
    IGNORE,
    WAIT
  }

  /** An event that leads to the request. */
  record Event(Priority priority, RequestCause cause) {}

  /** Identifies the objects of one type in one namespace of a cluster. */
  private record Collection(String cluster, String group, String plural, String namespace) {}

  /** A version of an object that a reconcile of the request has written. */
  private record State(Collection collection, String name, long version) {}

  private static final class InFlight {
    private int writes;
    private final List<Event> events = new ArrayList<>(2);
  }

  /** Maps each written version to the version that it replaced, the oldest first. */
  private final Map<State, Long> replaced =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<State, Long> eldest) {
          return size() > REMEMBERED;
        }
      };

  private final Map<Collection, InFlight> inFlight = new HashMap<>();
  private int ignored;
  private long lastWrite;

  boolean isEmpty(long now) {
    return inFlight.isEmpty()
        && ((replaced.isEmpty() && ignored == 0) || now - lastWrite >= KEPT.toNanos());
  }

  /** Records a write that is about to be sent. */
  void begin(Write write) {
    inFlight.computeIfAbsent(collection(write), none -> new InFlight()).writes++;
  }

  /**
   * Records the end of a write.
   *
   * @param version the object's version after the write, or -1 if it is unknown
   * @return the events that were waiting for the write, on which to {@link #decide} again
   */
  List<Event> end(Write write, String name, long version, long now) {
    Collection collection = collection(write);
    lastWrite = now;
    if (version > write.replaced()) { // otherwise, the write failed or had no effect
      replaced.put(new State(collection, name, version), write.replaced());
    }
    InFlight flight = inFlight.get(collection);
    if (flight == null) { // the term in which the write began has ended
      return List.of();
    }
    if (--flight.writes == 0) {
      inFlight.remove(collection);
    }
    List<Event> waiting = List.copyOf(flight.events);
    flight.events.clear();
    return waiting;
  }

  /** Decides on an event, and stores it if it has to wait. */
  Verdict decide(Event event) {
    Change change = event.cause().change();
    ObjectKey key = event.cause().key();
    if (change == null || key == null) {
      return Verdict.ADD;
    }
    Collection collection =
        new Collection(
            change.cluster(), change.type().group(), change.type().plural(), key.namespace());
    if (isOwn(collection, key.name(), change)) {
      ignored++;
      return Verdict.IGNORE;
    }
    InFlight flight = inFlight.get(collection);
    if (flight == null) {
      return Verdict.ADD;
    }
    flight.events.add(event);
    return Verdict.WAIT;
  }

  /** Returns whether consecutive writes lead from the old version to the new one. */
  private boolean isOwn(Collection collection, String name, Change change) {
    long version = change.to();
    while (version != change.from()) {
      Long base = replaced.get(new State(collection, name, version));
      if (base == null) {
        return false;
      }
      version = base;
    }
    return change.to() != change.from();
  }

  private static Collection collection(Write write) {
    return new Collection(write.cluster(), write.group(), write.plural(), write.namespace());
  }

  /** Returns the number of events that were ignored since the last call. */
  int takeIgnored() {
    int count = ignored;
    ignored = 0;
    return count;
  }
}
