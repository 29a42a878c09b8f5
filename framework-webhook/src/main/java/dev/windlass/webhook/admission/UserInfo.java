// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import java.util.List;
import java.util.Map;

/**
 * The user who sent a request, as authenticated by the API server. Instances are immutable.
 *
 * @param name the user's name, such as {@code system:serviceaccount:default:builder}
 * @param uid the user's unique identifier, which changes if the user is deleted and created again;
 *     often empty
 * @param groups the groups to which the user belongs
 * @param extra additional attributes that the API server's authenticator provides
 */
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  /** Copies the collections. */
  public UserInfo {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
