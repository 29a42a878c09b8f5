// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static dev.windlass.behaviour.Patience.eventually;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stopped, killed, restored and further processes of a control plane. */
class DisastersIT {

  private static final ListOptions FROM_CACHE =
      new ListOptionsBuilder().withResourceVersion("0").build();

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  private RealApiServer server;
  @AutoClose private KubernetesClient client;

  @BeforeEach
  void connect() {
    server = kubernetes.server();
    client = clientOf(server.clientConfig());
  }

  /** A client that neither tries again nor waits for long. */
  private static KubernetesClient clientOf(Config config) {
    config.setRequestRetryBackoffLimit(0);
    config.setRequestTimeout(2_000);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  private ConfigMap create(String name) {
    return create(client, name);
  }

  private static ConfigMap create(KubernetesClient client, String name) {
    ConfigMap map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("default")
            .withName(name)
            .endMetadata()
            .build();
    return client.resource(map).create();
  }

  private static List<String> names(KubernetesClient client, ListOptions options) {
    return client.configMaps().inNamespace("default").list(options).getItems().stream()
        .map(map -> map.getMetadata().getName())
        .toList();
  }

  private List<String> names() {
    return names(client, new ListOptions());
  }

  private static long version(ConfigMap map) {
    return Long.parseLong(map.getMetadata().getResourceVersion());
  }

  @Test
  void pausesTheApiServer() {
    server.pauseApiServer();

    assertThatThrownBy(this::names).isInstanceOf(KubernetesClientException.class);
    server.resumeApiServer();

    eventually().atMost(20, SECONDS).ignoreExceptions().until(() -> create("goes-on") != null);
  }

  @Test
  void pausesEtcdSoThatOnlyTheCacheAnswers() {
    create("before-etcd-pauses");
    eventually()
        .atMost(10, SECONDS)
        .until(() -> names(client, FROM_CACHE).contains("before-etcd-pauses"));

    server.pauseEtcd();

    assertThat(names(client, FROM_CACHE)).contains("before-etcd-pauses");
    assertThatThrownBy(() -> create("never")).isInstanceOf(KubernetesClientException.class);
    server.resumeEtcd();
    eventually().atMost(20, SECONDS).ignoreExceptions().until(() -> create("etcd-goes-on") != null);
  }

  @Test
  void keepsObjectsAcrossTheDeathOfEtcd() {
    create("outlives-etcd");

    server.killEtcd();

    assertThatThrownBy(() -> create("without-etcd")).isInstanceOf(KubernetesClientException.class);
    assertThatThrownBy(server::pauseEtcd).hasMessage("etcd is not running");
    server.startEtcd();
    assertThatThrownBy(server::startEtcd).hasMessageContaining("etcd is running");
    eventually()
        .atMost(20, SECONDS)
        .ignoreExceptions()
        .until(() -> names().contains("outlives-etcd"));
  }

  @Test
  void goesBackInTimeWithASnapshot() {
    create("before-the-snapshot");
    EtcdSnapshot snapshot = server.snapshot();
    long first = version(create("after-the-snapshot"));
    for (int i = 0; i < 30; i++) {
      create("lost-" + i);
    }
    long last = version(create("last"));

    server.restore(snapshot);

    assertThat(names()).contains("before-the-snapshot").doesNotContain("after-the-snapshot");
    long again = version(create("another-history"));
    assertThat(again).isLessThan(last);
    assertThat(last - first).isGreaterThanOrEqualTo(31);
  }

  @Test
  void runsASecondServerOnTheSameEtcd() {
    try (ApiServerReplica second = server.secondServer();
        KubernetesClient other = clientOf(second.clientConfig())) {
      assertThat(second.clientConfig().getMasterUrl()).endsWith(":" + second.port() + "/");
      create("seen-by-both");
      assertThat(names(other, new ListOptions())).contains("seen-by-both");

      server.killApiServer();
      create(other, "written-through-the-second");
      server.startApiServer();
      assertThat(names()).contains("written-through-the-second");

      second.kill();
      assertThatThrownBy(() -> create(other, "nobody-listens"))
          .isInstanceOf(KubernetesClientException.class);
      second.startAgain();
      eventually()
          .atMost(10, SECONDS)
          .ignoreExceptions()
          .until(() -> names(other, new ListOptions()).contains("seen-by-both"));
    }
    assertThat(server.processes()).as("etcd, the API server and the watchdog").hasSize(3);
  }

  @Test
  void holdsTheSecondServerInThePast() {
    try (ApiServerReplica second = server.secondServer();
        KubernetesClient other = clientOf(second.clientConfig())) {
      create("long-ago");
      eventually().atMost(10, SECONDS).until(() -> names(other, FROM_CACHE).contains("long-ago"));

      second.etcdNetwork().freeze();
      create("news");

      assertThat(names(client, new ListOptions())).contains("news");
      assertThat(names(other, FROM_CACHE)).contains("long-ago").doesNotContain("news");
      second.etcdNetwork().heal();
      eventually().atMost(10, SECONDS).until(() -> names(other, FROM_CACHE).contains("news"));
    }
  }
}
