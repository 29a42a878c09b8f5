// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleRef;
import io.fabric8.kubernetes.api.model.rbac.Subject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Converts permissions to roles. The roles contain as few rules as possible, and the rules are in a
 * fixed order.
 */
final class RoleConverter {

  private static final String API = "rbac.authorization.k8s.io";

  /** The properties that must be equal for resources to share a rule. */
  private record Alike(String group, String name, List<Verb> verbs) {

    static final Comparator<Alike> ORDER =
        Comparator.comparing(Alike::group)
            .thenComparing(Alike::name)
            .thenComparing(alike -> alike.verbs().toString());
  }

  private final String name;

  /**
   * The permissions, keyed by namespace. The empty key stands for cluster-wide permissions and
   * comes first.
   */
  private final Map<String, Set<Permission>> byNamespace = new TreeMap<>();

  RoleConverter(String name, Collection<Permission> permissions) {
    this.name = name;
    for (Permission permission : permissions) {
      boolean inCluster = permissions.stream().anyMatch(o -> isWider(o, permission));
      if (!inCluster) {
        byNamespace.computeIfAbsent(permission.namespace(), ns -> new TreeSet<>()).add(permission);
      }
    }
  }

  /** Returns whether the first permission covers the second one and is not equal to it. */
  private static boolean isWider(Permission one, Permission other) {
    return !one.equals(other) && one.covers(other);
  }

  List<HasMetadata> roles() {
    List<HasMetadata> roles = new ArrayList<>();
    byNamespace.forEach(
        (namespace, permissions) ->
            roles.add(
                namespace.isEmpty()
                    ? new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withRules(rules(permissions))
                        .build()
                    : new RoleBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withRules(rules(permissions))
                        .build()));
    return roles;
  }

  private static List<PolicyRule> rules(Set<Permission> permissions) {
    Map<Permission, Set<Verb>> verbs = new TreeMap<>();
    for (Permission permission : permissions) {
      Permission any =
          new Permission(
              permission.namespace(),
              permission.group(),
              permission.resource(),
              permission.name(),
              Verb.GET);
      verbs.computeIfAbsent(any, key -> new TreeSet<>()).add(permission.verb());
    }
    Map<Alike, Set<String>> resources = new TreeMap<>(Alike.ORDER);
    verbs.forEach(
        (what, may) ->
            resources
                .computeIfAbsent(
                    new Alike(what.group(), what.name(), List.copyOf(may)), key -> new TreeSet<>())
                .add(what.resource()));
    List<PolicyRule> rules = new ArrayList<>();
    resources.forEach((alike, plurals) -> rules.add(rule(alike, plurals)));
    return rules;
  }

  private static PolicyRule rule(Alike alike, Set<String> plurals) {
    PolicyRuleBuilder rule =
        new PolicyRuleBuilder()
            .withApiGroups(alike.group())
            .withResources(List.copyOf(plurals))
            .withVerbs(alike.verbs().stream().map(Verb::toString).toList());
    return (alike.name().isEmpty() ? rule : rule.withResourceNames(alike.name())).build();
  }

  List<HasMetadata> bindings(String namespace, String serviceAccount) {
    Subject subject = new Subject("", "ServiceAccount", serviceAccount, namespace);
    List<HasMetadata> bindings = new ArrayList<>();
    for (String where : byNamespace.keySet()) {
      bindings.add(
          where.isEmpty()
              ? new ClusterRoleBindingBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .endMetadata()
                  .withRoleRef(new RoleRef(API, "ClusterRole", name))
                  .withSubjects(subject)
                  .build()
              : new RoleBindingBuilder()
                  .withNewMetadata()
                  .withName(name)
                  .withNamespace(where)
                  .endMetadata()
                  .withRoleRef(new RoleRef(API, "Role", name))
                  .withSubjects(subject)
                  .build());
    }
    return bindings;
  }
}
