// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.webhook.Webhooks;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The webhooks of the operator, called by an API server. */
abstract class TenantWebhooksContract {

  private static final String NAME = "sample";

  TestApiServer server;
  KubernetesClient kubectl;
  Manager manager;
  private World world;

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Tenant withoutPrefix(String name) {
    Tenant tenant = TenantArtifacts.sample(name);
    tenant.getSpec().setNamespacePrefix("");
    return tenant;
  }

  @BeforeEach
  void startOperator() throws IOException {
    server.install(TenantArtifacts.crd());
    world = new World(kubectl);
    int port = freePort();
    TenantController.register(manager);
    TenantWebhooks.declare(
            Webhooks.forAddress("tenant-operator", URI.create("https://127.0.0.1:" + port)))
        .bindAddress("127.0.0.1:" + port)
        .inNamespace("default")
        .drainTime(Duration.ZERO)
        .register(manager)
        .manifests()
        .forEach(manifest -> kubectl.resource(manifest).serverSideApply());
    manager.start();
    eventually()
        .untilAsserted(
            () ->
                assertThat(
                        kubectl
                            .resource(withoutPrefix("probe"))
                            .dryRun()
                            .create()
                            .getSpec()
                            .getNamespacePrefix())
                    .isEqualTo("probe-"));
  }

  /** The configurations outlive the program, and would reject what other tests do. */
  @AfterEach
  void removeWebhooks() {
    kubectl.resources(Tenant.class).withName(NAME).delete();
    eventually().until(() -> world.tenant(NAME) == null);
    manager.stop();
    kubectl.admissionRegistration().v1().mutatingWebhookConfigurations().delete();
    kubectl.admissionRegistration().v1().validatingWebhookConfigurations().delete();
  }

  @Test
  void aTenantWithoutAPrefixIsNamedAfterItselfAndBecomesReady() {
    world.create(withoutPrefix(NAME));
    assertThat(world.tenant(NAME).getSpec().getNamespacePrefix()).isEqualTo("sample-");
    world.awaitReady(NAME);
    assertThat(List.of("sample-test1", "sample-test2"))
        .allSatisfy(namespace -> assertThat(world.namespace(namespace)).isNotNull());
  }

  @Test
  void theWebhookRejectsNamesThatNoNamespaceCanHave() {
    Tenant tenant = withoutPrefix(NAME);
    tenant.getSpec().setNamespaces(List.of("test1", "No_Name"));
    assertThatThrownBy(() -> world.create(tenant))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            rejected -> {
              assertThat(rejected.getCode()).isEqualTo(422);
              assertThat(rejected.getStatus().getMessage())
                  .isEqualTo(
                      "admission webhook \"vtenant.kb.io\" denied the request:"
                          + " Tenant.multitenancy.example.com \"sample\" is invalid:"
                          + " spec.namespaces[1]: Invalid value: \"sample-No_Name\": must be the"
                          + " name of a Namespace");
            });
    assertThat(world.tenant(NAME)).isNull();
  }
}
