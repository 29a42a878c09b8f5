// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** The events of one watch: what a change means to somebody who sees only a selection. */
record WatchFrames(ResourceType type, Selection selection, Representation form) {

  /** An object that was there when the watch began. */
  ObjectNode initial(ObjectNode object) {
    return frame("ADDED", form.object(type.present(object)));
  }

  /** The event for {@code change}; empty if it concerns only objects outside of the selection. */
  Optional<ObjectNode> of(Change change) {
    ObjectNode previous = change.previous();
    boolean before = previous != null && selection.matches(previous);
    boolean after = change.type() != Change.Type.DELETED && selection.matches(change.object());
    if (after) {
      return Optional.of(
          frame(before ? "MODIFIED" : "ADDED", form.object(type.present(change.object()))));
    }
    if (previous == null || !before) {
      return Optional.empty();
    }
    // What leaves the selection is shown as it last was inside, with the new resourceVersion.
    ObjectNode last = Store.withRevision(previous, change.revision());
    return Optional.of(frame("DELETED", form.object(type.present(last))));
  }

  /** All changes up to {@code revision} have been sent. */
  ObjectNode bookmark(long revision, boolean endOfInitialEvents) {
    ObjectNode object = Json.object();
    object.put("kind", type.kind()).put("apiVersion", type.apiVersion());
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("resourceVersion", Long.toString(revision));
    if (endOfInitialEvents) {
      metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
    }
    return frame("BOOKMARK", form.object(object));
  }

  /** The watch fails after its HTTP status was sent. */
  static ObjectNode error(StatusException failure) {
    return frame("ERROR", failure.status());
  }

  private static ObjectNode frame(String type, JsonNode object) {
    ObjectNode frame = Json.object();
    frame.put("type", type).set("object", object);
    return frame;
  }
}
