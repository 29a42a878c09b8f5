// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static dev.windlass.testsupport.Patience.eventually;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RealApiServerIT {

  private static final String NAMESPACE = "default";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().withControllerManager().audit(true));

  @AutoClose private static KubernetesClient client;

  @BeforeAll
  static void connect(RealApiServer server) {
    client = server.newClient();
  }

  @Test
  void forbidsAUserEverythingUntilARoleIsBound() {
    try (KubernetesClient jane = clientOf(kubernetes.server().userConfig("jane", "readers"))) {
      assertThatThrownBy(() -> jane.configMaps().inNamespace(NAMESPACE).list())
          .isInstanceOfSatisfying(
              KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));

      client.resource(viewersAre("readers")).create();

      eventually()
          .atMost(10, SECONDS)
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(jane.configMaps().inNamespace(NAMESPACE).list()).isNotNull());
    }
  }

  @Test
  void countsRequestsInTheAuditLog() {
    create("audited");
    client.configMaps().inNamespace(NAMESPACE).withName("audited").delete();

    eventually().atMost(10, SECONDS).until(() -> writesTo("audited").size() == 2);
    Instant unknown = Instant.EPOCH;
    assertThat(writesTo("audited"))
        .allMatch(event -> event.received().isAfter(unknown))
        .allMatch(event -> !event.answered().isBefore(event.received()))
        .extracting(
            event ->
                new AuditEvent(
                    event.verb(),
                    event.group(),
                    event.resource(),
                    event.subresource(),
                    event.namespace(),
                    event.name(),
                    event.user(),
                    event.code(),
                    unknown,
                    unknown))
        .containsExactly(written("create", 201), written("delete", 200));
  }

  private static AuditEvent written(String verb, int code) {
    return new AuditEvent(
        verb,
        "",
        "configmaps",
        "",
        NAMESPACE,
        "audited",
        "windlass-admin",
        code,
        Instant.EPOCH,
        Instant.EPOCH);
  }

  @Test
  void keepsObjectsAcrossTheDeathOfEtcd() {
    RealApiServer server = kubernetes.server();
    Config config = server.clientConfig();
    config.setRequestRetryBackoffLimit(0);
    config.setRequestTimeout(2_000);
    create("outlives-etcd");
    try (KubernetesClient hasty = clientOf(config)) {
      server.killEtcd();
      assertThatThrownBy(() -> hasty.resource(configMap(NAMESPACE, "without-etcd")).create())
          .isInstanceOf(KubernetesClientException.class);
      assertThatThrownBy(server::pauseEtcd).hasMessage("etcd is not running");
      server.startEtcd();
      assertThatThrownBy(server::startEtcd).hasMessageContaining("etcd is running");
      eventually()
          .atMost(20, SECONDS)
          .ignoreExceptions()
          .until(
              () ->
                  hasty.configMaps().inNamespace(NAMESPACE).withName("outlives-etcd").get()
                      != null);
    }
  }

  @Test
  void runsBesideAnotherOneAndEndsWithoutATrace() {
    RealApiServer second = RealApiServer.builder().start();
    List<ProcessHandle> processes = second.processes();
    try (KubernetesClient other = second.newClient()) {
      assertThat(other.getMasterUrl()).isNotEqualTo(client.getMasterUrl());
      assertThat(other.namespaces().list().getItems()).isNotEmpty();
      assertThat(processes).hasSize(3).allMatch(ProcessHandle::isAlive);
    } finally {
      second.close();
    }

    assertThat(processes).noneMatch(ProcessHandle::isAlive);
    assertThat(second.capabilities().garbageCollection()).isFalse();
    assertThatThrownBy(second::startApiServer).hasMessageContaining("closed");
  }

  @Test
  void tellsWhyItDoesNotStart() {
    assertThatThrownBy(() -> RealApiServer.builder().apiServerFlags("--no-such-flag").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("kube-apiserver ended with exit code 1")
        .hasMessageContaining("unknown flag: --no-such-flag");
  }

  private static List<AuditEvent> writesTo(String name) {
    return kubernetes.server().auditEvents().stream()
        .filter(event -> event.isWrite() && event.name().equals(name))
        .toList();
  }

  private static KubernetesClient clientOf(Config config) {
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private static ConfigMap create(String name) {
    return client.resource(configMap(NAMESPACE, name)).create();
  }

  private static ConfigMap configMap(String namespace, String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .build();
  }

  private static HasMetadata viewersAre(String group) {
    return new RoleBindingBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName(group)
        .endMetadata()
        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "view")
        .addNewSubject("rbac.authorization.k8s.io", "Group", group, null)
        .build();
  }
}
