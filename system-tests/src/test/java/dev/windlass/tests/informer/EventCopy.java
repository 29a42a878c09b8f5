// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import dev.windlass.object.CachedObject;
import dev.windlass.object.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A handler that knows what events have told it and nothing else, and notes what can't be. */
final class EventCopy<T> implements ResourceEventHandler<T> {

  private final Map<ObjectKey, CachedObject<T>> objects = new ConcurrentHashMap<>();
  private final Map<String, Long> newest = new ConcurrentHashMap<>();
  private final List<ResourceEvent.Deleted<T>> deletions = new CopyOnWriteArrayList<>();
  private final List<String> contradictions = new CopyOnWriteArrayList<>();
  private final AtomicLong events = new AtomicLong();

  @Override
  public void handle(ResourceEvent<T> event) {
    events.incrementAndGet();
    CachedObject<T> object = event.object();
    switch (event.type()) {
      case ADDED -> {
        if (objects.put(event.key(), object) != null) {
          contradictions.add("added twice: " + object);
        }
      }
      case UPDATED -> updated((ResourceEvent.Updated<T>) event);
      case DELETED -> {
        deletions.add((ResourceEvent.Deleted<T>) event);
        if (objects.remove(event.key()) == null) {
          contradictions.add("deleted, but not there: " + object);
        }
      }
      case GENERIC -> contradictions.add("no informer says so: " + object);
    }
    Long before = newest.merge(object.uid(), object.version(), Math::max);
    if (before > object.version()) {
      contradictions.add("went back from " + before + ": " + object);
    }
  }

  private void updated(ResourceEvent.Updated<T> event) {
    @Nullable CachedObject<T> before = objects.put(event.key(), event.object());
    if (before == null) {
      contradictions.add("updated, but not there: " + event.object());
    } else if (!before.isSameState(event.old())) {
      contradictions.add("updated from " + event.old() + " instead of " + before);
    }
  }

  /** What is there, by the events. */
  Map<ObjectKey, CachedObject<T>> objects() {
    return objects;
  }

  /** The deletions, in their order. */
  List<ResourceEvent.Deleted<T>> deletions() {
    return deletions;
  }

  /** Events that contradict those before: doubles, gaps, and versions that went back. */
  List<String> contradictions() {
    return contradictions;
  }

  long events() {
    return events.get();
  }
}
