// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The default ClusterRoles of a server with RBAC, and their bindings. They allow all authenticated
 * users to discover the API and to review their own permissions. The role {@code cluster-admin}
 * allows all requests.
 */
public final class BootstrapRoles {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final String DISCOVERY =
      "'/api','/api/*','/apis','/apis/*','/healthz','/livez','/openapi','/openapi/*','/readyz','/version','/version/'";

  /** A ClusterRole and the group to which it is bound. */
  private record Role(String name, String group, String rules) {}

  private static final List<Role> ROLES =
      List.of(
          new Role(
              "cluster-admin",
              "system:masters",
              "[{'apiGroups':['*'],'resources':['*'],'verbs':['*']},{'nonResourceURLs':['*'],'verbs':['*']}]"),
          new Role(
              "system:discovery",
              "system:authenticated",
              "[{'nonResourceURLs':[" + DISCOVERY + "],'verbs':['get']}]"),
          new Role(
              "system:basic-user",
              "system:authenticated",
              "[{'apiGroups':['authorization.k8s.io'],'resources':['selfsubjectaccessreviews','selfsubjectrulesreviews'],'verbs':['create']},{'apiGroups':['authentication.k8s.io'],'resources':['selfsubjectreviews'],'verbs':['create']}]"));

  private BootstrapRoles() {}

  /** Returns the default ClusterRoles that the server creates at startup. */
  public static List<ObjectNode> roles() {
    return ROLES.stream()
        .map(
            role -> {
              ObjectNode object = named(role.name());
              object.set("rules", Json.parse(bytes(role.rules())));
              return object;
            })
        .toList();
  }

  /** Returns the default ClusterRoleBindings that the server creates at startup. */
  public static List<ObjectNode> bindings() {
    return ROLES.stream()
        .map(
            role -> {
              ObjectNode object = named(role.name());
              object
                  .putObject("roleRef")
                  .put("apiGroup", GROUP)
                  .put("kind", "ClusterRole")
                  .put("name", role.name());
              object
                  .putArray("subjects")
                  .addObject()
                  .put("kind", "Group")
                  .put("apiGroup", GROUP)
                  .put("name", role.group());
              return object;
            })
        .toList();
  }

  private static ObjectNode named(String name) {
    ObjectNode object = Json.object();
    object.putObject("metadata").put("name", name);
    return object;
  }

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }
}
