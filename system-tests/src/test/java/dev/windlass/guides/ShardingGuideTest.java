// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/sharding.md}. */
@Timeout(60)
final class ShardingGuideTest {

  private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

  private Reconciler reconciler(String name) {
    return (request, context) -> {
      reconciled.add(name + " " + request.key());
      return Result.done();
    };
  }

  private Manager divided(KubernetesClient client) {
    // sample: shards
    Manager manager =
        Manager.builder()
            .client(client)
            .shards(
                ShardOptions.of("widget-operator")
                    .withElection(election -> election.withNamespace("operators"))
                    .withShards(12))
            .build();
    ControllerBuilder.forType(Widget.class)
        .sharded()
        .reconciler(reconciler("widgets"))
        .register(manager);
    // end
    return manager;
  }

  @Test
  void reconcilesAllObjectsAlone() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient()) {
      server.install(Widget.definition());
      kubectl
          .resource(
              new NamespaceBuilder().withNewMetadata().withName("operators").endMetadata().build())
          .create();
      for (int i = 0; i < 20; i++) {
        kubectl.resource(Widget.of("default", "w" + i)).create();
      }
      try (Manager manager = divided(kubectl)) {
        manager.start();
        await().untilAsserted(() -> assertThat(reconciled).hasSize(20));
        assertThat(manager.permissions().toString()).contains("widget-operator-member-12-of-12");
      }
      assertThat(kubectl.leases().inNamespace("operators").list().getItems())
          .as("twelve shards, and a member")
          .hasSize(13)
          .allMatch(lease -> lease.getSpec().getHolderIdentity() == null);
    }
  }
}
