// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A continue token, which specifies where the next page of a list starts. The token is opaque to
 * clients.
 *
 * @param revision the revision of the first page, or {@link #LATEST}
 * @param last the key of the last object in the previous page
 */
record ContinueToken(long revision, ObjectKey last) {
  /**
   * The revision of a token whose page contains the current objects. If a client sends an expired
   * token, the error response contains a token with this revision.
   */
  static final long LATEST = -1;

  String encode() {
    ObjectNode json = Json.object();
    json.put("v", "meta.k8s.io/v1").put("rv", revision);
    json.put("start", last.namespace() + "/" + last.name());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(json));
  }

  static ContinueToken decode(String token) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(token.getBytes(StandardCharsets.US_ASCII));
      ObjectNode json = Json.parseObject(bytes);
      String[] start = json.path("start").asText().split("/", 2);
      if (start.length == 2) {
        return new ContinueToken(json.path("rv").asLong(), new ObjectKey(start[0], start[1]));
      }
    } catch (IllegalArgumentException | StatusException e) {
      // Every unreadable token reaches this point and therefore has the same response.
    }
    throw StatusException.badRequest(
        "invalid continue token: continue key is not valid: illegal base64 data at input byte 0");
  }
}
