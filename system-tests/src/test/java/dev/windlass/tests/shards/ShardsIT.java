// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.shards;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three managers with the permissions that they declare, on a real API server. */
@Timeout(300)
final class ShardsIT {

  private static final String USER = "shards";
  private static final int OBJECTS = 50;

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private final KubernetesClient kubectl = kubernetes.server().newClient();

  /** Who has written each object last. */
  private final Map<String, String> writers = new ConcurrentHashMap<>();

  private Manager manager(String replica) {
    Manager manager =
        Manager.builder()
            .config(kubernetes.server().userConfig(USER))
            .namespace(USER)
            .shards(
                ShardOptions.of("widgets")
                    .withElection(
                        election ->
                            election
                                .withNamespace(USER)
                                .withIdentity(replica)
                                .withDurations(
                                    Duration.ofSeconds(6),
                                    Duration.ofSeconds(4),
                                    Duration.ofSeconds(1)))
                    .withShards(6))
            .build();
    ControllerBuilder.forType(ConfigMap.class)
        .named("widgets")
        .sharded()
        .uses(ConfigMap.class, Verb.UPDATE)
        .reconciler((request, context) -> reconcile(replica, request, context))
        .register(manager);
    return manager;
  }

  private Result reconcile(String replica, Request request, ReconcileContext context) {
    Optional<ConfigMap> found = context.client().get(ConfigMap.class, request.key());
    if (found.isPresent() && request.name().startsWith("object-")) {
      ConfigMap next = new ConfigMapBuilder(found.get()).build();
      String wanted = next.getData().get("wanted");
      if (!wanted.equals(next.getData().put("done", wanted))) {
        context.client().update(next);
        writers.put(request.name(), replica);
      }
    }
    return Result.done();
  }

  private static int owned(Manager manager) {
    return (int)
        manager.shards().stream().map(LeaderGroup::status).filter(each -> each.leading()).count();
  }

  private void change(String wanted) {
    for (int i = 0; i < OBJECTS; i++) {
      kubectl
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace(USER)
                  .withName("object-" + i)
                  .endMetadata()
                  .addToData("wanted", wanted)
                  .build())
          .forceConflicts()
          .serverSideApply();
    }
  }

  private void awaitDone(String wanted) {
    eventually()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                kubectl.configMaps().inNamespace(USER).list().getItems().stream()
                    .filter(map -> map.getMetadata().getName().startsWith("object-"))
                    .allMatch(map -> wanted.equals(map.getData().get("done"))));
  }

  @Test
  void areDividedByReplicasWithTheDeclaredPermissionsOnly() {
    kubectl
        .resource(new NamespaceBuilder().withNewMetadata().withName(USER).endMetadata().build())
        .create();
    change("0");
    try (Manager a = manager("a");
        Manager b = manager("b");
        Manager c = manager("c")) {
      a.permissions().roles(USER).forEach(role -> kubectl.resource(role).serverSideApply());
      kubectl
          .resource(
              new RoleBindingBuilder()
                  .withNewMetadata()
                  .withNamespace(USER)
                  .withName(USER)
                  .endMetadata()
                  .withNewRoleRef("rbac.authorization.k8s.io", "Role", USER)
                  .withSubjects(Rights.user(USER))
                  .build())
          .create();
      a.start();
      eventually().atMost(Duration.ofSeconds(20)).until(() -> owned(a) == 6);
      awaitDone("0");
      b.start();
      c.start();
      eventually()
          .atMost(Duration.ofSeconds(30))
          .until(() -> List.of(owned(a), owned(b), owned(c)).equals(List.of(2, 2, 2)));
      writers.clear();
      change("1");
      awaitDone("1");
      Map<String, Long> shares = new TreeMap<>();
      writers.values().forEach(writer -> shares.merge(writer, 1L, Long::sum));
      assertThat(shares).containsOnlyKeys("a", "b", "c");
      assertThat(b.stop()).isTrue();
      eventually()
          .atMost(Duration.ofSeconds(15))
          .until(() -> List.of(owned(a), owned(c)).equals(List.of(3, 3)));
      change("2");
      awaitDone("2");
      assertThat(a.missingPermissions()).isEmpty();
    }
  }
}
