// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Finalizers;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.rbac.UsedPermissions;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/permissions.md}. */
@Timeout(60)
final class PermissionsGuideTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final UsedPermissions used = new UsedPermissions();
  private final KubernetesClient client = used.client(server.clientConfig());
  private final Manager manager = Manager.builder().client(client).checkPermissions(false).build();

  @BeforeEach
  void knowsWidgets() {
    server.install(Widget.definition());
  }

  @AfterEach
  void stops() {
    assertThat(manager.stop()).isTrue();
    client.close();
    server.close();
  }

  private void register(Reconciler reconciler) {
    // sample: declare
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .watches(Secret.class, EventHandler.mapping(secret -> List.of()))
        .usesFinalizers()
        .uses(ServiceAccount.class, Verb.GET, Verb.CREATE)
        .uses(ConfigMap.class, Verb.CREATE) // the only write to this owned type
        .reconciler(reconciler)
        .register(manager);
    // end
  }

  private Result reconcile(Request request, Object context) throws Exception {
    Optional<Widget> found = manager.client().get(Widget.class, request.key());
    if (found.isEmpty()) {
      return Result.done();
    }
    Widget widget =
        Finalizers.<Widget>none()
            .with("test.windlass.dev/x", none -> Result.done())
            .run(manager.client(), found.get())
            .object();
    ObjectKey account = ObjectKey.of("default", "robot");
    if (manager.client().get(ServiceAccount.class, account).isEmpty()) {
      manager
          .client()
          .create(
              new ServiceAccountBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("robot")
                  .endMetadata()
                  .build());
      ConfigMap map =
          new ConfigMapBuilder()
              .withNewMetadata()
              .withNamespace("default")
              .withName("made")
              .endMetadata()
              .build();
      OwnerReferences.setController(map, widget);
      manager.client().create(map);
      widget.setStatus(new Widget.Status());
      widget.getStatus().setReady(1);
      manager.client().updateStatus(widget);
    }
    return Result.done();
  }

  private void run() {
    manager.start();
    try (KubernetesClient kubectl = server.newClient()) {
      kubectl.resource(Widget.of("default", "w")).create();
      await()
          .until(
              () ->
                  kubectl.configMaps().inNamespace("default").withName("made").get() != null
                      && used.all().stream().anyMatch(p -> p.resource().endsWith("/status")));
    }
  }

  @Test
  void declaresWhatItDoes() {
    register(this::reconcile);
    // sample: print
    String yaml = manager.permissions().yaml("widget-operator");
    String complete = manager.permissions().yaml("widget-operator", "operators", "widget-operator");
    // end
    assertThat(yaml).contains("serviceaccounts", ResourceType.of(Widget.class).plural());
    assertThat(complete).startsWith(yaml).contains("ClusterRoleBinding");
    run();
    // sample: compare
    used.assertMatch(manager.permissions());
    // end
  }

  @Test
  void printsItsRightsWithoutACluster() {
    assertThat(printed()).contains("configmaps").doesNotContain("serviceaccounts");
  }

  private String printed() {
    // sample: without-a-cluster
    try (Manager manager = Manager.builder().config(Config.empty()).build()) {
      declareIn(manager);
      return manager.permissions().yaml("widget-operator");
    }
    // end
  }

  private void declareIn(Manager unconnected) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .reconciler(this::reconcile)
        .register(unconnected);
  }

  @Test
  void failsForPermissionsThatAreNotDeclared() {
    ControllerBuilder.forType(Widget.class).reconciler(this::reconcile).register(manager);
    run();
    assertThatThrownBy(() -> used.assertMatch(manager.permissions()))
        .hasMessageContaining("create configmaps in the namespace default")
        .hasMessageContaining("get serviceaccounts in the namespace default");
  }
}
