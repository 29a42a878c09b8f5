// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Access;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The role that the operator prints is enough. */
final class TenantRbacIT {

  private static final String USER = "tenant-operator";
  private static final String NAME = "tenant-sample";

  @RegisterExtension
  final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().audit(true));

  private KubernetesClient client;
  private World world;
  private @Nullable Manager manager;

  @BeforeEach
  void connects() {
    kubernetes.server().install(TenantArtifacts.crd());
    world = new World(kubernetes.server().newClient());
    client = new KubernetesClientBuilder().withConfig(kubernetes.server().userConfig(USER)).build();
    Access.bind(world.kubectl(), USER, USER);
  }

  @AfterEach
  void disconnects() {
    assertThat(Objects.requireNonNull(manager).stop()).isTrue();
    client.close();
    world.kubectl().close();
  }

  private static ClusterRole printed() {
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      TenantController.register(manager);
      return (ClusterRole) manager.permissions().roles(USER).get(0);
    }
  }

  private List<AuditEvent> refused() {
    return kubernetes.server().auditEvents().stream()
        .filter(event -> event.user().equals(USER) && event.code() == 403)
        .toList();
  }

  private boolean mayGet(String user, String namespace) {
    try (KubernetesClient other =
        new KubernetesClientBuilder().withConfig(kubernetes.server().userConfig(user)).build()) {
      return canI(other, "namespaces", "get", namespace);
    }
  }

  private static boolean canI(KubernetesClient as, String resource, String verb, String namespace) {
    return Boolean.TRUE.equals(
        as.authorization()
            .v1()
            .selfSubjectAccessReview()
            .create(
                new SelfSubjectAccessReviewBuilder()
                    .withNewSpec()
                    .withNewResourceAttributes()
                    .withNamespace(namespace)
                    .withResource(resource)
                    .withVerb(verb)
                    .withName(resource.equals("namespaces") ? namespace : null)
                    .endResourceAttributes()
                    .endSpec()
                    .build())
            .getStatus()
            .getAllowed());
  }

  /** Neither escalate nor bind is needed, nor cluster-admin. */
  @Test
  void worksUnderExactlyThePrintedRoleWithoutARefusal() {
    Access.grant(world.kubectl(), printed());
    manager = Manager.builder().client(client).build();
    TenantController.register(manager);
    manager.start();

    world.create(TenantArtifacts.sampleOfAUser(NAME));
    world.awaitReady(NAME);
    world.awaitOneEvent(NAME, "Updated");
    assertThat(mayGet("test", NAME + "-test1")).isTrue();
    assertThat(mayGet("somebody", NAME + "-test1")).isFalse();
    try (KubernetesClient admin =
        new KubernetesClientBuilder().withConfig(kubernetes.server().userConfig("test")).build()) {
      assertThat(canI(admin, "pods", "create", NAME + "-test1")).as("nothing inside").isFalse();
    }
    world.change(NAME, spec -> spec.setNamespaces(List.of("test1")));
    eventually().until(() -> world.role(NAME + "-test2") == null);
    world.awaitReady(NAME);
    world.delete(NAME);

    assertThat(refused()).isEmpty();
    assertThat(Objects.requireNonNull(manager).missingPermissions()).isEmpty();
    assertThat(world.events(NAME, "Failed")).isEmpty();
  }
}
