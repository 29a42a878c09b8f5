// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Converts Events between the API versions {@code v1} and {@code events.k8s.io/v1}, which use
 * different names for some fields. Both versions serve the same objects. The server stores them as
 * {@code v1}.
 */
public final class EventConversion {

  public static final GroupResource STORED = new GroupResource("", "events");
  public static final GroupResource NEWER = new GroupResource("events.k8s.io", "events");

  private static final int LONGEST_NOTE = 1024;
  private static final int LONGEST_WORD = 128;

  /**
   * The field names in {@code events.k8s.io/v1}, mapped to the corresponding names in {@code v1}.
   */
  private static final Map<String, String> NAMES =
      Map.of(
          "regarding", "involvedObject",
          "note", "message",
          "reportingController", "reportingComponent",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  private EventConversion() {}

  /**
   * Converts a field path in {@code events.k8s.io/v1} to the corresponding path in the stored form.
   */
  public static String storedField(String path) {
    int end = path.indexOf('.');
    String first = end < 0 ? path : path.substring(0, end);
    return NAMES.getOrDefault(first, first) + path.substring(first.length());
  }

  /** Converts an Event in {@code events.k8s.io/v1} to its stored form. */
  public static ObjectNode toStored(ObjectNode event) {
    ObjectNode stored = Json.object();
    event.properties().forEach(field -> stored.set(storedField(field.getKey()), field.getValue()));
    return stored.put("apiVersion", "v1");
  }

  /** Converts a stored Event to {@code events.k8s.io/v1}. */
  static ObjectNode toNewer(ObjectNode stored) {
    ObjectNode event = Json.shallowCopy(stored);
    NAMES.forEach(
        (newer, older) -> {
          JsonNode value = event.remove(older);
          if (value != null) {
            event.set(newer, value);
          }
        });
    return event.put("apiVersion", NEWER.group() + "/v1");
  }

  /**
   * Validates an Event that a client sent in {@code events.k8s.io/v1}, and returns the errors.
   *
   * @param event the stored form of the Event
   */
  public static void validate(FieldChecks event) {
    event.require("eventTime", "reportingComponent", "reportingInstance", "action", "reason");
    for (String field : List.of("reportingInstance", "action", "reason")) {
      atMost(LONGEST_WORD, event, field);
    }
    atMost(LONGEST_NOTE, event, "message");
    if (event.object().has("series")) {
      int count = event.object().path("series").path("count").asInt();
      event.in("series").check(count >= 2, "count", "should be at least 2");
    }
  }

  private static void atMost(int limit, FieldChecks event, String field) {
    int length = event.text(field).getBytes(StandardCharsets.UTF_8).length;
    event.check(length <= limit, field, "can have at most " + limit + " bytes");
  }
}
