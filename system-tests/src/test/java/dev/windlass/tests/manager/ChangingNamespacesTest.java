// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ListParams;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controllers whose namespaces come and go while they run. */
@Timeout(60)
final class ChangingNamespacesTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final KubernetesClient kubectl = server.newClient();
  private final Manager manager = Manager.builder().client(kubectl).build();
  private final Queue<String> seen = new ConcurrentLinkedQueue<>();

  ChangingNamespacesTest() {
    server.install(Widget.definition());
    for (String name : List.of("a", "b")) {
      kubectl.resource(namespace(name, Map.of())).create();
      kubectl.resource(Widget.of(name, "w")).create();
    }
  }

  @AfterEach
  void stops() {
    manager.stop();
    kubectl.close();
    server.close();
  }

  private static Namespace namespace(String name, Map<String, String> labels) {
    return new NamespaceBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(labels)
        .endMetadata()
        .build();
  }

  private static ConfigMap part(String namespace) {
    return Samples.map(namespace, "part");
  }

  private ControllerBuilder<Widget> widgets() {
    return ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(
            (widget, context) -> {
              String namespace = widget.getMetadata().getNamespace();
              seen.add(namespace);
              Owned.apply(context.client(), widget, part(namespace));
              assertThat(context.secondary(ConfigMap.class)).isPresent();
              return Result.done();
            });
  }

  private List<String> cached() {
    return manager.informers().informers().stream()
        .map(SharedIndexInformer::scope)
        .map(scope -> scope.namespace())
        .distinct()
        .sorted()
        .toList();
  }

  private void awaitSeen(String namespace) {
    eventually().until(() -> seen.contains(namespace));
    eventually().until(() -> kubectl.resource(part(namespace)).get() != null);
  }

  /** Primary and owned types follow; what was removed leaves neither reconciles nor caches. */
  @Test
  void areAddedAndRemoved() {
    NamespaceSet namespaces = NamespaceSet.of("a");
    Controller controller = widgets().inNamespaces(namespaces).register(manager);
    manager.start();
    awaitSeen("a");
    assertThat(seen).doesNotContain("b");
    assertThat(namespaces.add("b")).isTrue();
    assertThat(namespaces.add("b")).isFalse();
    awaitSeen("b");
    assertThat(cached()).containsExactly("a", "b");
    kubectl.resource(part("b")).delete();
    eventually().until(() -> kubectl.resource(part("b")).get() != null); // owned types follow, too

    assertThat(namespaces.remove("a")).isTrue();
    eventually().until(() -> cached().equals(List.of("b")));
    eventually().until(() -> controller.running().isEmpty() && controller.queueLength() == 0);
    seen.clear();
    kubectl.resource(part("a")).delete();
    kubectl.resource(Widget.of("a", "second")).create();
    kubectl.resource(Widget.of("b", "second")).create();
    awaitSeen("b");
    assertThat(seen).doesNotContain("a");
    assertThat(kubectl.resource(part("a")).get()).isNull();

    namespaces.add("a");
    awaitSeen("a");
  }

  /** Those whose labels match, from the beginning and later. */
  @Test
  void areSelectedByTheirLabels() {
    kubectl.resource(namespace("a", Map.of("team", "blue"))).update();
    Controller controller = widgets().inNamespacesWith("team=blue").register(manager);
    assertThat(controller.permissions().yaml("w")).contains("namespaces").contains("ClusterRole");
    manager.start();
    awaitSeen("a");
    assertThat(seen).doesNotContain("b");
    kubectl.resource(namespace("b", Map.of("team", "blue"))).update();
    awaitSeen("b");
    kubectl.resource(namespace("a", Map.of("team", "red"))).update();
    eventually().until(() -> !cached().contains("a"));
    eventually().until(() -> controller.running().isEmpty() && controller.queueLength() == 0);
    seen.clear();
    kubectl.resource(Widget.of("a", "second")).create();
    kubectl.resource(Widget.of("b", "second")).create();
    awaitSeen("b");
    assertThat(seen).doesNotContain("a");
  }

  /** The cache of what it owns there may be filled later than that of the primary type. */
  @Test
  void areReadFromTheServerUntilTheirCachesAreFilled() {
    ConfigMap part = part("b");
    OwnerReferences.setController(part, kubectl.resource(Widget.of("b", "w")).get());
    kubectl.resource(part).create();
    AtomicBoolean asks = new AtomicBoolean();
    server.fail(
        request ->
            !asks.get()
                && request.resource().equals("configmaps")
                && request.namespace().equals("b"),
        503,
        1_000);
    NamespaceSet namespaces = NamespaceSet.of("a");
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .inNamespaces(namespaces)
        .objectReconciler(
            (widget, context) -> {
              if (widget.getMetadata().getNamespace().equals("a")) {
                seen.add("a");
                return Result.done();
              }
              seen.add("filled " + isFilled(ConfigMap.class, "b"));
              asks.set(true);
              seen.add("owned " + context.secondaries(ConfigMap.class).size());
              seen.add("listed " + context.client().list(ConfigMap.class, "b").size());
              return Result.done();
            })
        .register(manager);
    manager.start();
    eventually().until(() -> seen.contains("a"));
    namespaces.add("b");
    eventually().until(() -> seen.size() >= 4);
    assertThat(seen).startsWith("a", "filled false", "owned 1", "listed 1");
  }

  private boolean isFilled(Class<? extends HasMetadata> type, String namespace) {
    return manager.informers().informers().stream()
        .filter(cache -> cache.scope().namespace().equals(namespace))
        .filter(cache -> cache.type().equals(ResourceType.of(type)))
        .anyMatch(SharedIndexInformer::hasSynced);
  }

  /** A reconcile that runs sees what it saw before. */
  @Test
  void doNotChangeWhatAReconcileFindsWhenTheyAreRemovedMeanwhile() {
    NamespaceSet namespaces = NamespaceSet.of("a", "b");
    widgets()
        .objectReconciler(
            (widget, context) -> {
              String namespace = widget.getMetadata().getNamespace();
              Owned.apply(context.client(), widget, part(namespace));
              int before = context.secondaries(ConfigMap.class).size();
              if (namespaces.remove(namespace)) {
                eventually().until(() -> !cached().contains(namespace));
                seen.add(before + " " + context.secondaries(ConfigMap.class).size());
              }
              return Result.done();
            })
        .inNamespaces(namespaces)
        .register(manager);
    manager.start();
    eventually().until(() -> seen.size() == 2);
    assertThat(seen).containsOnly("1 1");
  }

  /** Rights and lists of all are those of the set at any time, also of an empty one. */
  @Test
  void areTheOnlyOnesWhereRightsAreNeeded() {
    NamespaceSet namespaces = NamespaceSet.of();
    Controller controller =
        widgets().inNamespaces(namespaces).uses(Secret.class, Verb.GET).register(manager);
    manager.start();
    eventually().until(controller::isReady); // before, reads go to the server
    assertThat(manager.permissions().yaml("w")).doesNotContain("Role");
    assertThat(manager.client().list(Widget.class, ListParams.ALL)).isEmpty();
    namespaces.add("b");
    assertThat(manager.permissions().yaml("w"))
        .doesNotContain("ClusterRole")
        .contains("namespace: \"b\"", "configmaps", "create", "widgets/status", "secrets");
    awaitSeen("b");
    assertThat(manager.client().list(Widget.class, ListParams.ALL)).hasSize(1);
    namespaces.remove("b");
    assertThat(manager.permissions().yaml("w")).doesNotContain("Role");
    eventually().until(() -> manager.client().list(Widget.class, ListParams.ALL).isEmpty());
  }

  /** What was deleted, or lost its label, while nobody watched. */
  @Test
  void leaveWhatIsGoneWhenTheyAreWatchedAgain() {
    kubectl.resource(namespace("a", Map.of("team", "blue"))).update();
    kubectl.resource(namespace("b", Map.of("team", "blue"))).update();
    NamespaceSet namespaces = NamespaceSet.of();
    Source source = Source.namespaces(manager.informers(), "team=blue", namespaces);
    manager.start();
    Source.Running first = source.start((request, priority) -> {});
    eventually().until(() -> first.hasSynced() && namespaces.names().equals(Set.of("a", "b")));
    first.stop();
    kubectl.resource(namespace("a", Map.of("team", "red"))).update();
    Source.Running second = source.start((request, priority) -> {});
    eventually().until(second::hasSynced);
    assertThat(namespaces.names()).containsExactly("b");
    second.stop();
  }

  /** What waits in the queue is dropped when its turn comes. */
  @Test
  void leaveNothingInTheQueue() throws InterruptedException {
    NamespaceSet namespaces = NamespaceSet.of("a", "b");
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    ControllerBuilder<Widget> builder =
        ControllerBuilder.forType(Widget.class)
            .inNamespaces(namespaces)
            .watches(ConfigMap.class, EventHandler.mapping(map -> List.of(Request.of("a/mapped"))));
    Controller controller =
        builder
            .reconciler(
                (request, context) -> {
                  seen.add(request.toString());
                  first.countDown();
                  goOn.await();
                  return Result.done();
                })
            .register(manager);
    for (int i = 0; i < 20; i++) {
      kubectl.resource(Widget.of("a", "w" + i)).create();
    }
    manager.start();
    first.await();
    eventually().until(() -> controller.queueLength() > 15);
    namespaces.remove("a");
    String running = seen.peek();
    goOn.countDown();
    eventually().until(() -> seen.contains("b/w") && controller.queueLength() == 0);
    assertThat(seen).filteredOn(key -> key.startsWith("a/")).isSubsetOf(running);
  }

  @Test
  void refuseWhatCantBe() {
    assertThatThrownBy(() -> NamespaceSet.of("A B"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("A B");
    assertThatThrownBy(() -> NamespaceSet.of("")).hasMessageContaining("all namespaces");
    assertThatThrownBy(
            () -> widgets().inNamespaces("a").inNamespaces(NamespaceSet.of("b")).register(manager))
        .hasMessageContaining("is restricted to namespaces twice");
    assertThatThrownBy(
            () ->
                widgets()
                    .inNamespaces(NamespaceSet.of("a"))
                    .inNamespaces(NamespaceSet.of("b"))
                    .register(manager))
        .as("the second set would undo the first")
        .hasMessageContaining("is restricted to namespaces twice");
    assertThatThrownBy(() -> widgets().inNamespacesWith("team in").register(manager))
        .hasMessageContaining("can't use what inNamespacesWith(...) was given");
    assertThatThrownBy(
            () ->
                ControllerBuilder.forType(Namespace.class)
                    .inNamespaces(NamespaceSet.of("b"))
                    .reconciler((request, context) -> Result.done())
                    .register(manager))
        .hasMessageContaining("watches nothing that lives in them");
  }
}
