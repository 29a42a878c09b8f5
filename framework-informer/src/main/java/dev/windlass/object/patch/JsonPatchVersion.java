// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** Finds the resourceVersion that a JSON patch (RFC 6902) requires. */
public final class JsonPatchVersion {

  private static final ObjectMapper JSON = new ObjectMapper();

  private JsonPatchVersion() {}

  /**
   * Returns the resourceVersion that a patch tests or sets. The server rejects the patch unless the
   * object has this version. Returns an empty result if the patch does not contain a version, or if
   * the given string is not a JSON patch.
   */
  public static Optional<String> of(String patch) {
    try {
      for (JsonNode operation : JSON.readTree(patch)) {
        if (operation.path("path").asText().equals("/metadata/resourceVersion")) {
          return Optional.of(operation.path("value").asText());
        }
      }
    } catch (JsonProcessingException e) {
      // The message of the exception quotes the text, which may be secret.
    }
    return Optional.empty();
  }
}
