// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The user who sends a request.
 *
 * @param name the user's name
 * @param uid the uid; empty if the user has none
 * @param groups the user's groups
 */
public record UserInfo(String name, String uid, List<String> groups) {
  /** The user of requests that do not identify a known user. This user has all permissions. */
  public static final UserInfo ADMIN =
      new UserInfo("admin", "", List.of("system:masters", "system:authenticated"));

  public UserInfo {
    groups = List.copyOf(groups);
  }

  /** Returns this user as a {@code UserInfo} object of {@code authentication.k8s.io/v1}. */
  public ObjectNode json() {
    ObjectNode json = Json.object().put("username", name);
    if (!uid.isEmpty()) {
      json.put("uid", uid);
    }
    if (!groups.isEmpty()) {
      groups.forEach(json.putArray("groups")::add);
    }
    return json;
  }
}
