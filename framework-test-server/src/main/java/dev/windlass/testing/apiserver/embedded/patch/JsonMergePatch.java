// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;

/**
 * Applies JSON merge patches (RFC 7386): objects are merged, null removes a field, and every other
 * value replaces the current value.
 */
final class JsonMergePatch {
  private JsonMergePatch() {}

  /** Returns a patched copy of {@code target}. */
  static JsonNode apply(JsonNode target, JsonNode patch) {
    if (!(patch instanceof ObjectNode changes)) {
      return patch.deepCopy();
    }
    ObjectNode result = target instanceof ObjectNode object ? object.deepCopy() : Json.object();
    for (var change : changes.properties()) {
      if (change.getValue().isNull()) {
        result.remove(change.getKey());
      } else {
        result.set(change.getKey(), apply(result.path(change.getKey()), change.getValue()));
      }
    }
    return result;
  }
}
