// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.permissions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Verb;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRule;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceRuleBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rule grants which right, as the server's RBAC decides it. */
final class SelfAccessReviewTest {

  private static final Permission LIST =
      new Permission("shop", "apps", "deployments", "", Verb.LIST);

  private static ResourceRule rule(String group, String resource, String verb, String... names) {
    return new ResourceRuleBuilder()
        .withApiGroups(group)
        .withResources(resource)
        .withVerbs(verb)
        .withResourceNames(names)
        .build();
  }

  @Test
  void isGrantedByItsOwnRuleOrByAStar() {
    assertThat(SelfAccessReview.grants(rule("apps", "deployments", "list"), LIST)).isTrue();
    assertThat(SelfAccessReview.grants(rule("*", "*", "*"), LIST)).isTrue();
    assertThat(SelfAccessReview.grants(rule("", "deployments", "list"), LIST)).isFalse();
    assertThat(SelfAccessReview.grants(rule("apps", "replicasets", "list"), LIST)).isFalse();
    assertThat(SelfAccessReview.grants(rule("apps", "deployments", "get"), LIST)).isFalse();
  }

  @Test
  void tellsSubresourcesFromTheirObjects() {
    Permission status = LIST.subresource("status");
    assertThat(SelfAccessReview.grants(rule("apps", "deployments", "list"), status)).isFalse();
    assertThat(SelfAccessReview.grants(rule("apps", "deployments/status", "list"), status))
        .isTrue();
    assertThat(SelfAccessReview.grants(rule("apps", "*/status", "list"), status)).isTrue();
    assertThat(SelfAccessReview.grants(rule("apps", "*/scale", "list"), status)).isFalse();
    assertThat(SelfAccessReview.grants(rule("apps", "deployments/status", "list"), LIST)).isFalse();
  }

  @Test
  void isNotGrantedForAllObjectsByARuleForOne() {
    ResourceRule one = rule("apps", "deployments", "list", "web");
    assertThat(SelfAccessReview.grants(one, LIST)).isFalse();
    assertThat(SelfAccessReview.grants(one, LIST.named("web"))).isTrue();
    assertThat(SelfAccessReview.grants(one, LIST.named("other"))).isFalse();
    assertThat(SelfAccessReview.grants(rule("apps", "deployments", "list"), LIST.named("web")))
        .isTrue();
  }

  @Test
  void saysWhatIsMissingAndWhatToDo() {
    Permission all = new Permission("", "", "nodes", "", Verb.GET);
    Permission watch =
        new Permission(LIST.namespace(), LIST.group(), LIST.resource(), "", Verb.WATCH);
    assertThat(MissingPermissions.sentences(List.of(watch, all, LIST), list -> true))
        .containsExactly(
            "This program lacks the permissions to list and watch deployments.apps in the namespace"
                + " shop; add them to its Role in this namespace, which must exist (--print-rbac or"
                + " Manager.permissions() prints all permissions that it needs)",
            "This program lacks the permission to get nodes in the whole cluster; add it to its"
                + " ClusterRole (--print-rbac or Manager.permissions() prints all permissions that it"
                + " needs)");
    assertThat(MissingPermissions.sentences(List.of(LIST), list -> true))
        .singleElement()
        .asString()
        .contains(", for uncached lists and for API servers without streaming lists (");
  }
}
