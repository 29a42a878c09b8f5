// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.KubernetesCluster;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/several-clusters.md}. */
@Timeout(60)
final class SeveralClustersGuideTest {

  @AutoClose private final GuideServer server = new GuideServer();
  @AutoClose private final EmbeddedApiServer east = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubectlEast = east.newClient();
  private final Manager manager = server.manager;

  private static ConfigMap part(String name) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .endMetadata()
        .build();
  }

  private Result reconcile(Widget widget, ReconcileContext context) {
    Owned.apply(context.client(), widget, part(widget.getMetadata().getName()));
    return Result.done();
  }

  @Test
  void runsTheSameInEachCluster() {
    east.install(Widget.definition());
    Config eastern = east.clientConfig();
    // sample: each
    manager.cluster("east", eastern);
    for (String cluster : List.of("", "east")) { // the empty name is the program's own cluster
      ControllerBuilder.forType(InformerSpec.of(Widget.class).inCluster(cluster))
          .named(cluster.isEmpty() ? "widget" : "widget-" + cluster)
          .owns(ConfigMap.class)
          .objectReconciler(this::reconcile)
          .register(manager);
    }
    // end
    manager.start();
    server.create("w");
    kubectlEast.resource(Widget.of("default", "w")).create();
    for (KubernetesClient kubectl : List.of(server.kubectl, kubectlEast)) {
      await().until(() -> kubectl.resource(part("w")).get() != null);
      kubectl.resource(part("w")).delete();
      await().until(() -> kubectl.resource(part("w")).get() != null);
    }
  }

  @Test
  void readsInAnotherCluster() {
    Config eastern = east.clientConfig();
    Function<ConfigMap, List<Request>> here = map -> List.of(new Request(ObjectKey.of(map)));
    // sample: client
    KubernetesCluster other = manager.cluster("east", eastern);
    ControllerBuilder.forType(Widget.class)
        .watches(InformerSpec.of(ConfigMap.class).inCluster("east"), EventHandler.mapping(here))
        .objectReconciler(
            (widget, context) -> {
              ObjectKey key = ObjectKey.of(widget);
              Optional<ConfigMap> theirs = other.client().get(ConfigMap.class, key);
              if (theirs.isPresent()) {
                ConfigMap ours = part(key.name());
                ours.setData(theirs.get().getData());
                Owned.apply(context.client(), widget, ours);
              }
              return Result.done();
            })
        .register(manager);
    // end
    manager.start();
    server.create("w");
    ConfigMap theirs = part("w");
    theirs.setData(Map.of("colour", "red"));
    kubectlEast.resource(theirs).create();
    await().until(() -> server.kubectl.resource(part("w")).get() != null);
    assertThat(server.kubectl.resource(part("w")).get().getData()).containsEntry("colour", "red");
  }

  @Test
  void watchesSettingsThatAreElsewhere() {
    Queue<Request> seen = new ConcurrentLinkedQueue<>();
    Config eastern = east.clientConfig();
    // sample: elsewhere
    manager.cluster("east", eastern);
    ControllerBuilder.forType(Widget.class)
        .watches(
            InformerSpec.of(ConfigMap.class).inCluster("east"),
            EventHandler.mapping(map -> List.of(new Request(ObjectKey.of(map)))))
        .reconciler(
            (request, context) -> {
              seen.add(request);
              return Result.done();
            })
        .register(manager);
    // end
    manager.start();
    kubectlEast.resource(part("settings")).create();
    await().until(() -> !seen.isEmpty());
    assertThat(seen.peek()).isEqualTo(Request.of("default/settings"));
  }
}
