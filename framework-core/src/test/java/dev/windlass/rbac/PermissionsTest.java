// SPDX-License-Identifier: Apache-2.0
package dev.windlass.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PermissionsTest {

  private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);
  private static final ResourceType SECRETS = ResourceType.of(Secret.class);
  private static final ResourceType DEPLOYMENTS = ResourceType.of(Deployment.class);

  @Test
  void writesResourcesWithTheSameVerbsAsOneRule() {
    Permissions permissions =
        Permissions.reads("a", SECRETS, "").and(Permissions.reads("b", MAPS, ""));
    assertThat(permissions.yaml("operator"))
        .isEqualTo(
            """
            ---
            apiVersion: "rbac.authorization.k8s.io/v1"
            kind: "ClusterRole"
            metadata:
              name: "operator"
            rules:
            - apiGroups:
              - ""
              resources:
              - "configmaps"
              - "secrets"
              verbs:
              - "get"
              - "list"
              - "watch"
            """);
  }

  @Test
  void needsNoClusterRoleForOneNamespace() {
    Permissions permissions =
        Permissions.writes("a", DEPLOYMENTS, "shop").and(Permissions.reads("b", MAPS, "yard"));
    assertThat(permissions.roles("operator"))
        .extracting(role -> role.getKind() + " " + role.getMetadata().getNamespace())
        .containsExactly("Role shop", "Role yard");
    assertThat(permissions.bindings("operator", "home", "robot"))
        .extracting(HasMetadata::getKind)
        .containsExactly("RoleBinding", "RoleBinding");
    assertThat(permissions.yaml("operator", "home", "robot"))
        .contains("name: \"robot\"", "namespace: \"home\"", "kind: \"Role\"")
        .doesNotContain("Cluster");
  }

  @Test
  void repeatsNothingInANamespaceThatIsGrantedInAll() {
    Permissions permissions =
        Permissions.reads("a", MAPS, "shop")
            .and(Permissions.reads("b", MAPS, ""))
            .and(Permissions.uses(MAPS, "shop", Verb.CREATE));
    assertThat(permissions.roles("operator")).hasSize(2);
    assertThat(permissions.roles("operator").get(1).toString())
        .contains("create")
        .doesNotContain("list");
  }

  @Test
  void knowsNoNamespaceOfWhatLivesInNone() {
    Permissions permissions =
        Permissions.uses(ResourceType.of(Namespace.class), "shop", Verb.CREATE);
    assertThat(permissions.all())
        .containsExactly(new Permission("", "", "namespaces", "", Verb.CREATE));
  }

  @Test
  void keepsTheRightToOneObjectApart() {
    Permission one = Permission.of(SECRETS, "shop", Verb.GET).named("token");
    Permissions permissions =
        Permissions.uses(SECRETS, "shop", Verb.CREATE)
            .and(Permissions.of(List.of(new Declaration("x", Set.of(one), Declaration.Need.ANY))));
    assertThat(permissions.yaml("operator")).contains("resourceNames:\n  - \"token\"");
    assertThat(permissions.cover(one)).isTrue();
    assertThat(permissions.cover(Permission.of(SECRETS, "shop", Verb.GET))).isFalse();
    assertThat(permissions.cover(Permission.of(SECRETS, "shop", Verb.CREATE).named("other")))
        .isTrue();
  }

  @Test
  void saysNothingOfWhatNobodyNeeds() {
    assertThat(Permissions.NONE.yaml("operator")).isEmpty();
    assertThatThrownBy(() -> Permissions.uses(MAPS, ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("uses(ConfigMap) names no verb");
  }

  @Test
  void readsLikeASentence() {
    assertThat(Permission.of(DEPLOYMENTS, "", Verb.LIST))
        .hasToString("list deployments.apps in the whole cluster");
    assertThat(Permission.of(DEPLOYMENTS, "shop", Verb.PATCH).subresource("status").named("web"))
        .hasToString("patch deployments.apps/status \"web\" in the namespace shop");
  }
}
