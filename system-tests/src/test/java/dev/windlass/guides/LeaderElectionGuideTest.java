// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/leader-election.md}. */
@Timeout(60)
final class LeaderElectionGuideTest {

  private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

  private Reconciler reconciler(String name) {
    return (request, context) -> {
      boolean exists = context.client().get(Widget.class, request.key()).isPresent();
      reconciled.add(name + " " + request.key() + " " + exists);
      return Result.done();
    };
  }

  private Manager elected(KubernetesClient client) {
    // sample: elect
    Manager manager =
        Manager.builder()
            .client(client)
            .leaderElection(LeaderElectionOptions.of("widget-operator").withNamespace("operators"))
            .build();
    ControllerBuilder.forType(Widget.class).reconciler(reconciler("widgets")).register(manager);
    // end
    return manager;
  }

  private void group(Manager manager) {
    // sample: group
    LeaderGroup group = manager.leaderGroup(LeaderElectionOptions.of("audit-controller"));
    ControllerBuilder.forType(Widget.class)
        .named("audit")
        .leaderElection(group)
        .reconciler(reconciler("audit"))
        .register(manager);
    // end
  }

  @Test
  void reconcilesWhenItLeads() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient()) {
      server.install(Widget.definition());
      kubectl
          .resource(
              new NamespaceBuilder().withNewMetadata().withName("operators").endMetadata().build())
          .create();
      kubectl.resource(Widget.of("default", "w")).create();
      try (Manager manager = elected(kubectl)) {
        group(manager);
        manager.start();
        await()
            .untilAsserted(
                () ->
                    assertThat(reconciled)
                        .contains("widgets default/w true", "audit default/w true"));
      }
      assertThat(kubectl.leases().inNamespace("operators").withName("widget-operator").get())
          .isNotNull();
    }
  }
}
