// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.http.Representation;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.selectors.ObjectSelection;
import dev.windlass.testing.apiserver.embedded.storage.Change;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.Optional;

/**
 * Converts changes to the events of one watch. A watch receives only events for the objects that it
 * selects.
 */
record WatchEvents(ResourceType type, ObjectSelection selection, Representation form) {

  /** Returns the event for an object that existed when the watch began. */
  ObjectNode initial(ObjectNode object) {
    return event("ADDED", form.object(type, type.present(object)));
  }

  /**
   * Returns the event for {@code change}. Returns empty if the watch selects the object neither
   * before nor after the change.
   */
  Optional<ObjectNode> of(Change change) {
    ObjectNode previous = change.previous();
    boolean before = previous != null && selection.matches(previous);
    boolean after = change.type() != Change.Type.DELETED && selection.matches(change.object());
    if (after) {
      return Optional.of(
          event(before ? "MODIFIED" : "ADDED", form.object(type, type.present(change.object()))));
    }
    if (previous == null || !before) {
      return Optional.empty();
    }
    // For an object that leaves the selection, the event contains the last matching state, with the
    // new resourceVersion.
    ObjectNode last = Store.withRevision(previous, change.revision());
    return Optional.of(event("DELETED", form.object(type, type.present(last))));
  }

  /**
   * Returns a bookmark event. A bookmark states that the watch has sent all changes up to {@code
   * revision}.
   */
  ObjectNode bookmark(long revision, boolean endOfInitialEvents) {
    ObjectNode object = Json.object();
    object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(revision));
    if (endOfInitialEvents) {
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    }
    return event("BOOKMARK", form.object(type, object));
  }

  /** Returns the event that reports a failure after the HTTP status has been sent. */
  static ObjectNode error(StatusException failure) {
    return event("ERROR", failure.status());
  }

  private static ObjectNode event(String type, JsonNode object) {
    ObjectNode event = Json.object();
    event.put("type", type).set("object", object);
    return event;
  }
}
