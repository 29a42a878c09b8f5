// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import dev.windlass.informer.notify.ResourceEvent;
import dev.windlass.informer.notify.ResourceEventHandler;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A handler that remembers what it heard. */
final class Heard implements ResourceEventHandler<ConfigMap> {

  private final List<ResourceEvent<ConfigMap>> events = new CopyOnWriteArrayList<>();
  private final List<Long> times = new CopyOnWriteArrayList<>();

  @Override
  public void handle(ResourceEvent<ConfigMap> event) {
    times.add(System.nanoTime());
    events.add(event);
  }

  List<ResourceEvent<ConfigMap>> events() {
    return List.copyOf(events);
  }

  /** Type, name and version of each, in their order. */
  List<String> words() {
    return events.stream()
        .map(e -> e.type() + " " + e.key().name() + " " + e.object().resourceVersion())
        .toList();
  }

  List<ResourceEvent<ConfigMap>> of(String name) {
    return events.stream().filter(event -> event.key().name().equals(name)).toList();
  }

  /** Those in which nothing had changed. */
  List<ResourceEvent<ConfigMap>> resyncs() {
    return events.stream()
        .filter(e -> e instanceof ResourceEvent.Updated<ConfigMap> updated && updated.isResync())
        .toList();
  }

  /** When the events about an object were heard; {@link System#nanoTime}. */
  List<Long> times(String name) {
    List<Long> found = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).key().name().equals(name)) {
        found.add(times.get(i));
      }
    }
    return found;
  }

  /** What there is, by what it has heard: the last version of each that was not deleted. */
  Map<String, String> versions() {
    Map<String, String> known = new TreeMap<>();
    for (ResourceEvent<ConfigMap> event : events) {
      if (event.type() == ResourceEvent.Type.DELETED) {
        known.remove(event.key().name());
      } else {
        known.put(event.key().name(), event.object().resourceVersion());
      }
    }
    return known;
  }

  /**
   * What is wrong with the story: of each object an addition first, then updates, each from the
   * state before to a newer one; empty if nothing is.
   */
  List<String> contradictions() {
    Map<String, ResourceEvent<ConfigMap>> last = new HashMap<>();
    List<String> wrong = new ArrayList<>();
    for (ResourceEvent<ConfigMap> event : events) {
      String name = event.key().name();
      ResourceEvent<ConfigMap> before = last.put(name, event);
      boolean known = before != null && before.type() != ResourceEvent.Type.DELETED;
      if (event instanceof ResourceEvent.Updated<ConfigMap> updated) {
        if (before == null
            || !updated.old().isSameState(before.object())
            || updated.object().version() <= before.object().version()) {
          wrong.add(event + " after " + before);
        }
      } else if (known != (event.type() == ResourceEvent.Type.DELETED)) {
        wrong.add(event + " after " + before);
      }
    }
    return wrong;
  }
}
