// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import java.util.List;

/** Decides what users may do. Implementations are thread-safe. */
public interface Authorizer {

  /** Allows everything, like a server without RBAC. */
  Authorizer ALLOW_ALL =
      new Authorizer() {
        @Override
        public Decision decide(UserInfo user, AccessRequest request) {
          return new Decision(true, "");
        }

        @Override
        public List<JsonNode> rules(UserInfo user, String namespace) {
          return List.of(EVERYTHING, EVERY_PATH);
        }
      };

  /** The rule that allows all verbs on all resources. */
  JsonNode EVERYTHING =
      Json.parse("{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}".getBytes(UTF_8));

  /** The rule that allows all verbs on all non-resource paths. */
  JsonNode EVERY_PATH =
      Json.parse("{\"verbs\":[\"*\"],\"nonResourceURLs\":[\"*\"]}".getBytes(UTF_8));

  /**
   * The decision about an access request.
   *
   * @param allowed whether the access is allowed
   * @param reason the reason, as in the status of an access review; empty if there is none
   */
  record Decision(boolean allowed, String reason) {}

  Decision decide(UserInfo user, AccessRequest request);

  /** Returns the rules that apply to a user in a namespace. */
  List<JsonNode> rules(UserInfo user, String namespace);
}
