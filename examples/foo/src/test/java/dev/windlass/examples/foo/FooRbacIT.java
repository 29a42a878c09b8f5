// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.cli.testsupport.Access;
import dev.windlass.cli.testsupport.Edits;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.Permissions;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.Logs;
import dev.windlass.testsupport.Page;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing of the role that the operator prints can be left out unnoticed. */
final class FooRbacIT {

  private static final String USER = "foo-operator";

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private final Logs logs = Logs.by(Level.WARN, "dev.windlass.manager");

  private int foos;

  private KubernetesClient admin;

  @BeforeEach
  void connects() {
    admin = kubernetes.server().newClient();
    kubernetes.server().install(FooArtifacts.crd());
    Access.bind(admin, USER, USER);
  }

  @AfterEach
  void disconnects() {
    FooArtifacts.uninstall(admin);
    admin.close();
  }

  private static Permissions declared() {
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      FooOperator.register(manager);
      return manager.permissions();
    }
  }

  private void scale(String foo, int replicas) {
    Edits.edit(
        admin.resources(Foo.class).inNamespace("default").withName(foo),
        found -> found.getSpec().setReplicas(replicas));
  }

  /** One sentence for each, and all is well as soon as the right is given back. */
  @Test
  void namesEachRightThatIsTakenAway() {
    Permissions declared = declared();
    try (KubernetesClient client =
        new KubernetesClientBuilder().withConfig(kubernetes.server().userConfig(USER)).build()) {
      for (Permission taken : declared.all()) {
        Access.grant(admin, without(role(declared), taken));
        eventually().until(() -> !isAllowed(client, taken));
        worksAgainWithout(taken, declared);
      }
    }
  }

  private List<String> sentences() {
    return logs.messages().stream()
        .filter(line -> line.startsWith("This program lacks the permission"))
        .toList();
  }

  private static boolean isAllowed(KubernetesClient client, Permission permission) {
    return client
        .authorization()
        .v1()
        .selfSubjectAccessReview()
        .create(
            new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withVerb(permission.verb().toString())
                .withGroup(permission.group())
                .withResource(permission.resource().replaceFirst("/.*", ""))
                .withSubresource(
                    permission.resource().contains("/")
                        ? permission.resource().replaceFirst(".*/", "")
                        : null)
                .withNamespace(permission.namespace())
                .withName(permission.name())
                .endResourceAttributes()
                .endSpec()
                .build())
        .getStatus()
        .getAllowed();
  }

  /** Runs the operator without a right, and gives it back. */
  private void worksAgainWithout(Permission taken, Permissions declared) {
    int before = sentences().size();
    try (Manager operator =
        Manager.builder()
            .config(kubernetes.server().userConfig(USER))
            .healthProbeBindAddress("127.0.0.1:0")
            .build()) {
      FooOperator.register(operator);
      operator.start();
      eventually()
          .untilAsserted(() -> assertThat(operator.missingPermissions()).containsExactly(taken));
      assertThat(sentences().stream().skip(before))
          .singleElement()
          .asString()
          .startsWith("This program lacks the permission to " + taken + "; add it to its ");
      Foo foo = FooArtifacts.exampleFoo("default");
      String name = "foo-" + foos++;
      foo.getMetadata().setName(name);
      foo.getSpec().setDeploymentName(name);
      admin.resource(foo).create();
      Access.grant(admin, role(declared));
      eventually().untilAsserted(() -> assertThat(replicas(name)).isEqualTo(1));
      scale(name, 2);
      eventually().untilAsserted(() -> assertThat(replicas(name)).as("%s", taken).isEqualTo(2));
      eventually().untilAsserted(() -> assertThat(readiness(operator)).startsWith("200 "));
      assertThat(sentences()).hasSize(before + 1);
    }
  }

  private @Nullable Integer replicas(String deployment) {
    Deployment found = admin.apps().deployments().inNamespace("default").withName(deployment).get();
    return found == null ? null : found.getSpec().getReplicas();
  }

  private static String readiness(Manager operator) {
    return Page.get(operator.endpoints().probePort().orElseThrow(), "/readyz?verbose").toString();
  }

  private static ClusterRole role(Permissions permissions) {
    List<HasMetadata> roles = permissions.roles(USER);
    assertThat(roles).hasSize(1);
    return (ClusterRole) roles.get(0);
  }

  /** The same role without one verb on one resource. */
  private static ClusterRole without(ClusterRole role, Permission taken) {
    List<PolicyRule> rules = new ArrayList<>();
    for (PolicyRule rule : role.getRules()) {
      if (!rule.getApiGroups().contains(taken.group())
          || !rule.getResources().contains(taken.resource())) {
        rules.add(rule);
        continue;
      }
      List<String> others = new ArrayList<>(rule.getResources());
      others.remove(taken.resource());
      if (!others.isEmpty()) {
        rules.add(new PolicyRuleBuilder(rule).withResources(others).build());
      }
      List<String> verbs = new ArrayList<>(rule.getVerbs());
      verbs.remove(taken.verb().toString());
      if (!verbs.isEmpty()) {
        rules.add(
            new PolicyRuleBuilder(rule).withResources(taken.resource()).withVerbs(verbs).build());
      }
    }
    return new ClusterRoleBuilder(role).withRules(rules).build();
  }
}
