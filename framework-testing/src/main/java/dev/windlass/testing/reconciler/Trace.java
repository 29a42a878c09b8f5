// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.reconciler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectCodec;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The writes, watch events and final objects of one test run. This class is not thread-safe. */
final class Trace {

  private record Ignored(String resource, List<String> path) {}

  private final List<Ignored> ignored = new ArrayList<>();
  private final List<Write> writes = new ArrayList<>();
  private final List<String> events = new ArrayList<>();
  private final SortedMap<String, Integer> creations = new TreeMap<>();
  private final SortedMap<String, Integer> deletions = new TreeMap<>();
  private SortedMap<String, String> state = new TreeMap<>();

  void wrote(Write write) {
    writes.add(write);
    if (write.created()) {
      creations.merge(write.target(), 1, Integer::sum);
    }
    if (write.verb() == Verb.DELETE) {
      deletions.merge(write.target(), 1, Integer::sum);
    }
  }

  void delivered(String event) {
    events.add(event);
  }

  /** Excludes the value of a field of all objects of a resource from the comparison. */
  void ignore(String resource, List<String> path) {
    ignored.add(new Ignored(resource, path));
  }

  void ended(SortedMap<String, List<Map<String, Object>>> stored) {
    SortedMap<String, List<ObjectNode>> objects = new TreeMap<>();
    stored.forEach(
        (resource, all) ->
            objects.put(
                resource,
                all.stream().map(each -> ObjectCodec.convert(each, ObjectNode.class)).toList()));
    for (Ignored field : ignored) {
      String last = field.path().get(field.path().size() - 1);
      for (ObjectNode object : objects.getOrDefault(field.resource(), List.of())) {
        JsonNode parent = object;
        for (String name : field.path().subList(0, field.path().size() - 1)) {
          parent = parent.path(name);
        }
        if (parent.has(last)) {
          ((ObjectNode) parent).put(last, "<ignored>");
        }
      }
    }
    state = EndState.of(objects);
  }

  List<Write> writes() {
    return Collections.unmodifiableList(writes);
  }

  List<String> events() {
    return Collections.unmodifiableList(events);
  }

  /**
   * Compares this run with the run without faults. Returns a description of the differences, or
   * empty if there are none. A difference is an object that is not the same at the end of both
   * runs, or that this run has created or deleted more often.
   */
  Optional<String> differenceTo(Trace reference) {
    List<String> differences = new ArrayList<>();
    SortedSet<String> keys = new TreeSet<>(reference.state.keySet());
    keys.addAll(state.keySet());
    for (String key : keys) {
      String expected = reference.state.get(key);
      String actual = state.get(key);
      if (expected == null) {
        differences.add("there is " + key + ", which should not exist: " + actual);
      } else if (actual == null) {
        differences.add("there is no " + key + ", which should be " + expected);
      } else if (!expected.equals(actual)) {
        differences.add(key + " should be " + expected + ", but is " + actual);
      }
    }
    more("created", creations, reference.creations, differences);
    more("deleted", deletions, reference.deletions, differences);
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join(System.lineSeparator(), differences));
  }

  private static void more(
      String verb,
      Map<String, Integer> actual,
      Map<String, Integer> expected,
      List<String> differences) {
    actual.forEach(
        (object, times) -> {
          int before = expected.getOrDefault(object, 0);
          if (times > before) {
            differences.add(
                "%s was %s %d times instead of %d".formatted(object, verb, times, before));
          }
        });
  }
}
