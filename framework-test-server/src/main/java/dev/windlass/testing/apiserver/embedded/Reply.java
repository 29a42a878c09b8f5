// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.reads.WatchSession;
import java.util.List;

/** A response that has not been written to a connection yet. */
sealed interface Reply {

  /**
   * A response that consists of a complete JSON document.
   *
   * @param code the HTTP status code
   * @param body the JSON document
   * @param warnings the values of the Warning headers
   */
  record Document(int code, JsonNode body, List<String> warnings) implements Reply {
    Document(int code, JsonNode body) {
      this(code, body, List.of());
    }
  }

  /** A complete plain-text response. */
  record Text(int code, String body) implements Reply {
    static final Text PAGE_NOT_FOUND = new Text(404, "404 page not found\n");
  }

  /** An endless stream of watch events. */
  record Watch(ApiRequest request, WatchSession session) implements Reply {}
}
