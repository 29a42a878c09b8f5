// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.Transform;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/large-clusters.md}. */
@Timeout(60)
final class LargeClustersGuideTest {

  private static final ObjectKey OURS = ObjectKey.of("shop", "ours");

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubectl = server.newClient();
  private final Config config = kubectl.getConfiguration();
  private final Queue<ObjectKey> reconciled = new ConcurrentLinkedQueue<>();
  private final Reconciler reconciler =
      (request, context) -> {
        reconciled.add(request.key());
        return Result.done();
      };

  @BeforeEach
  void fills() {
    for (String namespace : List.of("shop", "stock")) {
      kubectl
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .create();
    }
    create("shop", "ours", "bench");
    create("shop", "theirs", "others");
    create("stock", "elsewhere", "bench");
  }

  private void create(String namespace, String name, String manager) {
    kubectl
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("app.kubernetes.io/managed-by", manager)
                .endMetadata()
                .withNewSpec()
                .withNodeName("node-7")
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .addNewEnv()
                .withName("SETTING")
                .withValue("x")
                .endEnv()
                .endContainer()
                .endSpec()
                .build())
        .create();
  }

  private List<RecordedRequest> requests(String resource, String verb) {
    return server.requests().stream()
        .filter(each -> each.resource().equals(resource) && each.verb().name().equals(verb))
        .toList();
  }

  /** Starts a manager with a controller of Pods, which sees those. */
  private void startWith(Manager manager, String... pods) {
    ControllerBuilder.forType(Pod.class).reconciler(reconciler).register(manager);
    manager.start();
    await().until(() -> reconciled.size() == pods.length);
    assertThat(reconciled).extracting(ObjectKey::name).containsExactlyInAnyOrder(pods);
    assertThat(manager.cache(Pod.class).indexer().size()).isEqualTo(pods.length);
  }

  @Test
  void watchesFewerObjects() {
    // sample: fewer
    Manager manager =
        Manager.builder()
            .config(config)
            .cache(
                InformerSpec.of(Pod.class)
                    .in(
                        WatchScope.namespace("shop")
                            .withLabels("app.kubernetes.io/managed-by=bench")
                            .withFields("spec.nodeName=node-7")))
            .build();
    // end
    try (manager) {
      startWith(manager, "ours");
      assertThat(manager.client().get(Pod.class, OURS)).isPresent();
      assertThat(requests("pods", "GET")).isEmpty();
    }
  }

  // sample: place
  static final Transform PLACE = Transform.keepFields("spec.nodeName", "status.phase");

  // end

  @Test
  void keepsLessOfEach() {
    // sample: less
    Manager manager =
        Manager.builder().config(config).cache(InformerSpec.of(Pod.class).with(PLACE)).build();
    Client pods = manager.client().reading(PLACE);
    // end
    try (manager) {
      startWith(manager, "ours", "theirs", "elsewhere");
      // sample: read
      List<Pod> placed = pods.list(Pod.class, ListParams.in("shop"));
      String node = placed.get(0).getSpec().getNodeName();
      // end
      assertThat(node).isEqualTo("node-7");
      assertThat(placed.get(0).getSpec().getContainers()).isEmpty();
      assertThat(requests("pods", "LIST")).isEmpty();
    }
  }

  @Test
  void keepsMetadataOnly() {
    // sample: metadata
    Manager manager =
        Manager.builder()
            .config(config)
            .cache(InformerSpec.of(Pod.class).with(Projection.METADATA))
            .build();
    Client metadata = manager.client().reading(Projection.METADATA);
    // end
    try (manager) {
      startWith(manager, "ours", "theirs", "elsewhere");
      assertThat(metadata.get(Pod.class, OURS).orElseThrow().getSpec()).isNull();
      assertThat(requests("pods", "GET")).isEmpty();
      // sample: whole
      Pod whole = manager.client().get(Pod.class, OURS).orElseThrow(); // one GET
      // end
      assertThat(whole.getSpec().getContainers()).hasSize(1);
      assertThat(requests("pods", "GET")).hasSize(1);
    }
  }

  @Test
  void cachesNothingOfAType() {
    kubectl
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("password")
                .endMetadata()
                .build())
        .create();
    // sample: never
    Manager manager = Manager.builder().config(config).neverCache(Secret.class).build();
    // end
    try (manager) {
      manager.start();
      ObjectKey key = ObjectKey.of("shop", "password");
      assertThat(manager.client().get(Secret.class, key)).isPresent();
      assertThat(requests("secrets", "GET")).hasSize(1);
      assertThat(requests("secrets", "LIST")).isEmpty();
    }
  }

  @Test
  void reconcilesLessOften() {
    try (Manager manager = Manager.builder().config(config).build()) {
      // sample: pace
      ControllerBuilder.forType(Pod.class)
          .maxConcurrentReconciles(8)
          .minimumInterval(Duration.ofSeconds(5))
          .reconciler(reconciler)
          .register(manager);
      // end
      manager.start();
      await().until(() -> reconciled.size() == 3);
    }
  }
}
