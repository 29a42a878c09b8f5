// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import java.util.List;

/** The users that represent ServiceAccounts. */
final class ServiceAccounts {
  private static final String PREFIX = "system:serviceaccount:";
  private static final int PARTS = 4;

  private ServiceAccounts() {}

  static String userName(String namespace, String name) {
    return PREFIX + namespace + ":" + name;
  }

  static UserInfo user(String namespace, String name, String uid) {
    return new UserInfo(userName(namespace, name), uid, groups(namespace));
  }

  /**
   * Returns the groups that a user name implies: the groups of a ServiceAccount, or only {@code
   * system:authenticated} for any other user.
   */
  static List<String> groupsOf(String userName) {
    String[] parts = userName.split(":", -1);
    return userName.startsWith(PREFIX) && parts.length == PARTS
        ? groups(parts[2])
        : List.of("system:authenticated");
  }

  private static List<String> groups(String namespace) {
    return List.of(
        "system:serviceaccounts", "system:serviceaccounts:" + namespace, "system:authenticated");
  }
}
