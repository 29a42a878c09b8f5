// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.ObjectKey;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides what users may do, according to the roles and bindings in the store. Members of {@code
 * system:masters} may do everything.
 */
public final class Rbac implements Authorizer {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final GroupResource ROLES = new GroupResource(GROUP, "roles");
  private static final GroupResource BINDINGS = new GroupResource(GROUP, "rolebindings");
  private static final GroupResource CLUSTER_ROLES = new GroupResource(GROUP, "clusterroles");
  private static final GroupResource CLUSTER_BINDINGS =
      new GroupResource(GROUP, "clusterrolebindings");

  private final Store store;

  public Rbac(Store store) {
    this.store = store;
  }

  /** A rule, and a description of the binding that grants it. */
  private record Grant(JsonNode rule, String source) {}

  @Override
  public Decision decide(UserInfo user, AccessRequest request) {
    if (isMaster(user)) {
      return new Decision(true, "");
    }
    return grants(user, request.namespace()).stream()
        .filter(grant -> RbacRules.allows(grant.rule(), request))
        .findFirst()
        .map(grant -> new Decision(true, "RBAC: allowed by " + grant.source()))
        .orElse(new Decision(false, ""));
  }

  @Override
  public List<JsonNode> rules(UserInfo user, String namespace) {
    return isMaster(user)
        ? List.of(EVERYTHING, EVERY_PATH)
        : grants(user, namespace).stream().map(Grant::rule).toList();
  }

  private static boolean isMaster(UserInfo user) {
    return user.groups().contains("system:masters");
  }

  private List<Grant> grants(UserInfo user, String namespace) {
    List<Grant> grants = new ArrayList<>();
    try (Store.Transaction tx = store.begin()) {
      for (ObjectNode binding : tx.table(CLUSTER_BINDINGS).objects().values()) {
        add(tx, user, binding, "", grants);
      }
      if (!namespace.isEmpty()) {
        for (ObjectNode binding : tx.table(BINDINGS).objects().values()) {
          if (binding.path("metadata").path("namespace").asText().equals(namespace)) {
            add(tx, user, binding, namespace, grants);
          }
        }
      }
    }
    return grants;
  }

  private static void add(
      Store.Transaction tx,
      UserInfo user,
      ObjectNode binding,
      String namespace,
      List<Grant> grants) {
    for (JsonNode subject : binding.path("subjects")) {
      if (includes(subject, user, namespace)) {
        JsonNode reference = binding.path("roleRef");
        String kind = reference.path("kind").asText();
        String name = reference.path("name").asText();
        ObjectNode role =
            kind.equals("Role")
                ? tx.get(ROLES, new ObjectKey(namespace, name))
                : tx.get(CLUSTER_ROLES, new ObjectKey("", name));
        String itself = binding.path("metadata").path("name").asText();
        String source =
            "%s \"%s\" of %s \"%s\" to %s"
                .formatted(
                    namespace.isEmpty() ? "ClusterRoleBinding" : "RoleBinding",
                    namespace.isEmpty() ? itself : itself + "/" + namespace,
                    kind,
                    name,
                    described(subject, namespace));
        if (role != null) {
          role.path("rules").forEach(rule -> grants.add(new Grant(rule, source)));
        }
        return;
      }
    }
  }

  private static boolean includes(JsonNode subject, UserInfo user, String namespace) {
    String name = subject.path("name").asText();
    return switch (subject.path("kind").asText()) {
      case "User" -> user.name().equals(name);
      case "Group" -> user.groups().contains(name);
      case "ServiceAccount" ->
          user.name().equals(ServiceAccounts.userName(namespaceOf(subject, namespace), name));
      default -> false;
    };
  }

  private static String namespaceOf(JsonNode subject, String namespace) {
    return subject.path("namespace").asText(namespace);
  }

  private static String described(JsonNode subject, String namespace) {
    String kind = subject.path("kind").asText();
    String name = subject.path("name").asText();
    boolean account = kind.equals("ServiceAccount");
    return "%s \"%s\""
        .formatted(kind, account ? name + "/" + namespaceOf(subject, namespace) : name);
  }
}
