// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/several-namespaces.md}. */
@Timeout(60)
final class SeveralNamespacesGuideTest {

  @AutoClose private final GuideServer server = new GuideServer();
  private final Manager manager = server.manager;
  private final Queue<ObjectKey> seen = new ConcurrentLinkedQueue<>();

  private Result reconcile(Widget widget, ReconcileContext context) {
    seen.add(ObjectKey.of(widget));
    return Result.done();
  }

  private void create(String namespace) {
    server.kubectl.resource(Samples.namespace(namespace)).createOr(existing -> existing.update());
    server.kubectl.resource(Widget.of(namespace, "w")).create();
  }

  @Test
  void watchesTheNamedNamespaces() {
    create("shop");
    create("stock");
    create("other");
    // sample: names
    ControllerBuilder.forType(Widget.class)
        .inNamespaces("shop", "stock")
        .owns(ConfigMap.class)
        .objectReconciler(this::reconcile)
        .register(manager);
    // end
    manager.start();
    await().until(() -> seen.size() == 2);
    assertThat(seen).extracting(ObjectKey::namespace).containsOnly("shop", "stock");
    assertThat(manager.permissions().yaml("widget-operator"))
        .contains("namespace: \"shop\"", "namespace: \"stock\"")
        .doesNotContain("ClusterRole");
  }

  @Test
  void followsASet() {
    create("shop");
    create("stock");
    // sample: set
    NamespaceSet tenants = NamespaceSet.of("shop");
    ControllerBuilder.forType(Widget.class)
        .inNamespaces(tenants)
        .owns(ConfigMap.class)
        .objectReconciler(this::reconcile)
        .register(manager);
    // end
    manager.start();
    await().until(() -> seen.size() == 1);
    // sample: change
    tenants.add("stock"); // from any thread; the controller then reconciles the widgets there
    tenants.remove("shop");
    // end
    await().until(() -> seen.size() == 2);
    assertThat(tenants.names()).containsExactly("stock");
  }

  @Test
  void selectsNamespacesByLabel() {
    create("shop");
    create("stock");
    // sample: labels
    ControllerBuilder.forType(Widget.class)
        .inNamespacesWith("team=blue")
        .owns(ConfigMap.class)
        .objectReconciler(this::reconcile)
        .register(manager);
    // end
    manager.start();
    server
        .kubectl
        .namespaces()
        .withName("stock")
        .edit(
            namespace ->
                new NamespaceBuilder(namespace)
                    .editMetadata()
                    .addToLabels("team", "blue")
                    .endMetadata()
                    .build());
    await().until(() -> seen.size() == 1);
    assertThat(seen).containsExactly(ObjectKey.of("stock", "w"));
    assertThat(manager.permissions().yaml("widget-operator")).contains("ClusterRole", "namespaces");
  }

  @Test
  void readsTheNamespaceOfOneTypeFromItsSpec() {
    create("shop");
    // sample: one-type
    ControllerBuilder.forType(Widget.class) // in all namespaces
        .watchesReferenced(
            InformerSpec.of(Secret.class).in(WatchScope.namespace("credentials")),
            widget ->
                widget.getSpec().getParts().stream()
                    .filter(part -> part.matches("[-.a-z0-9]+")) // users write anything
                    .map(SeveralNamespacesGuideTest::secret)
                    .toList())
        .objectReconciler(this::reconcile)
        .register(manager);
    // end
    manager.start();
    await().until(() -> seen.size() == 1);
  }

  private static ObjectKey secret(String part) {
    return ObjectKey.of("credentials", part);
  }

  @Test
  void isRestrictedAsAWhole() {
    // sample: program
    Manager restricted = Manager.builder().config(config()).namespace("shop").build();
    // end
    ControllerBuilder.forType(Widget.class).objectReconciler(this::reconcile).register(restricted);
    assertThat(restricted.permissions().yaml("widget-operator"))
        .contains("namespace: \"shop\"")
        .doesNotContain("ClusterRole");
    restricted.close();
  }

  private static Config config() {
    return Config.empty();
  }
}
