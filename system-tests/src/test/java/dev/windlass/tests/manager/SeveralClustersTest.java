// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controllers of a manager that knows two clusters. */
@Timeout(60)
final class SeveralClustersTest {

  private static final ObjectKey KEY = ObjectKey.of("default/same");

  private final EmbeddedApiServer home = EmbeddedApiServer.start();
  private final EmbeddedApiServer east = EmbeddedApiServer.start();
  private final KubernetesClient kubectl = home.newClient();
  private final KubernetesClient kubectlEast = east.newClient();
  private final Manager manager = Manager.builder().client(kubectl).build();
  private final Queue<Request> seen = new ConcurrentLinkedQueue<>();

  SeveralClustersTest() {
    home.install(Widget.definition());
    east.install(Widget.definition());
    manager.cluster("east", east.clientConfig());
  }

  @AfterEach
  void stops() {
    manager.stop();
    kubectl.close();
    kubectlEast.close();
    home.close();
    east.close();
  }

  private static InformerSpec<Widget> eastern() {
    return InformerSpec.of(Widget.class).inCluster("east");
  }

  private static ConfigMap map(String name) {
    return Samples.map("default", name);
  }

  /** Primary and owned objects in another cluster: reads, writes, owners and secondaries. */
  @Test
  void ownInAnotherCluster() {
    Controller controller =
        ControllerBuilder.forType(eastern())
            .owns(ConfigMap.class)
            .finalizer("example.com/x", (widget, context) -> Result.done())
            .objectReconciler(
                (widget, context) -> {
                  Owned.apply(context.client(), widget, map("part"));
                  assertThat(context.secondary(ConfigMap.class)).isPresent();
                  return Result.done();
                })
            .register(manager);
    assertThat(controller.permissions().all()).as("rights in the own cluster").isEmpty();
    manager.start();
    kubectlEast.resource(Widget.of("default", "same")).create();
    eventually().until(() -> kubectlEast.resource(map("part")).get() != null);
    kubectlEast.resource(map("part")).delete();
    eventually().until(() -> kubectlEast.resource(map("part")).get() != null);
    kubectlEast.resource(Widget.of("default", "same")).delete();
    eventually().until(() -> kubectlEast.resource(Widget.of("default", "same")).get() == null);
    assertThat(kubectl.resource(map("part")).get()).isNull();
  }

  /** An empty answer would say that nothing is there. */
  @Test
  void controlNothingInAnotherClusterThanTheirs() {
    Queue<String> refusals = new ConcurrentLinkedQueue<>();
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .watches(eastern(), EventHandler.self())
        .reconciler(
            (request, context) -> {
              try {
                context.secondaries(ConfigMap.class);
              } catch (IllegalArgumentException e) {
                refusals.add(String.valueOf(e.getMessage()));
              }
              return Result.done();
            })
        .register(manager);
    manager.start();
    kubectlEast.resource(Widget.of("default", "same")).create();
    eventually().until(() -> !refusals.isEmpty());
    assertThat(refusals.peek())
        .contains(
            "owns the type ConfigMap in the program's own cluster only",
            "for the cluster 'east'",
            "client().list");
  }

  /** The other way round: a change there reconciles what refers to it here. */
  @Test
  void followReferencesAcrossClusters() {
    ControllerBuilder.forType(Widget.class)
        .watchesReferenced(
            InformerSpec.of(ConfigMap.class).inCluster("east"),
            widget -> List.of(ObjectKey.of("default/settings")))
        .reconciler(
            (request, context) -> {
              seen.add(request);
              return Result.done();
            })
        .register(manager);
    kubectl.resource(Widget.of("default", "same")).create();
    manager.start();
    eventually().until(() -> !seen.isEmpty());
    seen.clear();
    kubectlEast.resource(map("settings")).create();
    eventually().untilAsserted(() -> assertThat(seen).contains(new Request(KEY)));
  }

  @Test
  void refuseOneThatNobodyConnected() {
    assertThatThrownBy(
            () ->
                ControllerBuilder.forType(InformerSpec.of(Widget.class).inCluster("eats"))
                    .reconciler((request, context) -> Result.done())
                    .register(manager))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the cluster 'eats', which the manager does not have");
  }
}
