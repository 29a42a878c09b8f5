// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import java.util.List;
import java.util.Map;

/**
 * The user who sent a request, as authenticated by the API server. Instances are immutable.
 *
 * @param name the name, such as {@code system:serviceaccount:default:builder}
 * @param uid an identifier that is not reused if a user is deleted and created again; often empty
 * @param groups the user's groups
 * @param extra additional attributes, which depend on the authenticator
 */
public record UserInfo(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  /** Copies the collections. */
  public UserInfo {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
