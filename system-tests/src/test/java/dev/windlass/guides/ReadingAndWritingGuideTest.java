// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.Conflicts;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ListParams;
import dev.windlass.client.NotFoundException;
import dev.windlass.client.ObjectPatch;
import dev.windlass.client.owned.References;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.index.Indexer;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The code of {@code docs/guides/reading-and-writing.md}. */
@Timeout(60)
final class ReadingAndWritingGuideTest {

  private static final Logger log = LoggerFactory.getLogger(ReadingAndWritingGuideTest.class);

  @AutoClose private final GuideServer server = new GuideServer();
  private final Client client = server.client;
  private final ObjectKey key = ObjectKey.of("default", "w");

  private static ConfigMap map(String name, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName(name)
        .withLabels(Map.of("app", "web"))
        .endMetadata()
        .withData(Map.of("k", value))
        .build();
  }

  @Test
  void readsWhatItWrites() {
    // sample: write
    client.create(map("settings", "one"));
    ConfigMap settings =
        client.get(ConfigMap.class, ObjectKey.of("default", "settings")).orElseThrow();
    settings.setData(Map.of("k", "two"));
    client.update(settings);
    List<ConfigMap> web =
        client.list(ConfigMap.class, ListParams.in("default").withLabels("app=web"));
    // end
    assertThat(web).singleElement().satisfies(m -> assertThat(m.getData()).containsValue("two"));
  }

  @Test
  void patchesWhatDiffers() {
    server.create("w");
    // sample: patch
    Widget before = client.get(Widget.class, key).orElseThrow();
    Widget after = client.get(Widget.class, key).orElseThrow();
    after.getSpec().setSize(3);
    client.patch(after, ObjectPatch.mergeFrom(before));
    // end
    assertThat(server.get("w").getSpec().getSize()).isEqualTo(3);
  }

  private void resize(Widget widget) {
    widget.getSpec().setSize(7);
    client.update(widget);
  }

  @Test
  void readsWhatFitsTheClass() {
    server.create("w");
    // sample: readable
    ReadableObjects<Widget> widgets = client.listReadable(Widget.class, ListParams.in("default"));
    for (Widget widget : widgets.objects()) {
      resize(widget);
    }
    widgets
        .unreadable()
        .forEach((key, problem) -> log.warn("skipping {}: {}", key, problem.problem()));
    // end
    assertThat(server.get("w").getSpec().getSize()).isEqualTo(7);
  }

  @Test
  void deletesWhatItHasSeen() {
    Widget widget = server.create("w");
    // sample: delete
    client.delete(Widget.class, key, DeleteParams.exactly(widget));
    // end
    assertThat(client.get(Widget.class, key)).isEmpty();
  }

  @Test
  void triesAgainOnAConflict() {
    server.create("w");
    // sample: retry
    Conflicts.retry(client, Widget.class, key, widget -> widget.getSpec().setSize(5));
    // end
    assertThat(server.get("w").getSpec().getSize()).isEqualTo(5);
  }

  // sample: failures
  boolean scaleDown(Widget widget) {
    try {
      widget.getSpec().setSize(0);
      client.update(widget);
      return true;
    } catch (NotFoundException e) {
      return false; // it is gone, and so is what we wanted to do
    }
  }

  // end

  @Test
  void tellsFailuresApart() {
    Widget widget = server.create("w");
    assertThat(scaleDown(widget)).isTrue();
    server.kubectl.resource(widget).delete();
    assertThat(scaleDown(widget)).isFalse();
  }

  @Test
  void cachesATypeWithAnIndex() {
    Manager manager = server.manager;
    // sample: cache
    manager
        .cache(ConfigMap.class)
        .indexer()
        .addIndex("app", object -> List.of(object.labels().getOrDefault("app", "")));
    // end
    manager.start();
    org.awaitility.Awaitility.await().until(() -> manager.cache(ConfigMap.class).hasSynced());
    client.create(map("settings", "one"));
    // sample: index
    List<ConfigMap> web = client.list(ConfigMap.class, ListParams.ALL.withIndex("app", "web"));
    // end
    assertThat(web).hasSize(1);
  }

  @Test
  void reconcilesSiblings() {
    Manager manager = server.manager;
    Queue<String> reconciled = new ConcurrentLinkedQueue<>();
    Reconciler reconciler =
        (request, context) -> {
          reconciled.add(request.name());
          return Result.done();
        };
    // sample: index-of-spec
    Indexer<Widget> widgets = manager.cache(Widget.class).indexer();
    widgets.addIndex(
        "size", widget -> List.of(String.valueOf(widget.readOnly().getSpec().getSize())));
    // end
    // sample: siblings
    ControllerBuilder.forType(Widget.class)
        .watches(
            Widget.class,
            EventHandler.mapping(
                widget ->
                    widgets.byIndex("size", String.valueOf(widget.getSpec().getSize())).stream()
                        .map(sibling -> new Request(sibling.key()))
                        .toList()))
        .reconciler(reconciler)
        .register(manager);
    // end
    server.create("a");
    server.create("b");
    manager.start();
    org.awaitility.Awaitility.await().until(() -> reconciled.containsAll(List.of("a", "b")));
    reconciled.clear();
    Widget b = server.get("b");
    b.getSpec().setSize(7);
    server.kubectl.resource(b).update();
    org.awaitility.Awaitility.await().until(() -> reconciled.containsAll(List.of("a", "b")));
  }

  // sample: reference
  private static Optional<ConfigMap> configOf(Widget widget, Client client) {
    ObjectKey named = ObjectKey.of(widget.getSpec().getParts().get(0)); // "map" or "namespace/map"
    ObjectKey target =
        References.granted(
            widget, named.namespace(), named.name(), key -> isShared(key, widget, client));
    return client.get(ConfigMap.class, target);
  }

  /** Only the users of the other namespace can set this annotation. */
  private static boolean isShared(ObjectKey key, Widget widget, Client client) {
    return client
        .get(ConfigMap.class, key)
        .map(map -> map.getMetadata().getAnnotations().get("example.com/shared-with"))
        .filter(widget.getMetadata().getNamespace()::equals)
        .isPresent();
  }

  // end

  @Test
  void followsAReferenceToAnotherNamespaceOnlyIfThatGrantsIt() {
    Widget widget = Widget.of("default", "w");
    widget.getSpec().setParts(List.of("settings"));
    client.create(map("settings", "one"));
    assertThat(configOf(widget, client)).isPresent();
    client.create(new NamespaceBuilder().withNewMetadata().withName("other").endMetadata().build());
    ConfigMap foreign = map("foreign", "two");
    foreign.getMetadata().setNamespace("other");
    foreign.getMetadata().setAnnotations(Map.of());
    client.create(foreign);
    widget.getSpec().setParts(List.of("other/foreign"));
    assertThatThrownBy(() -> configOf(widget, client))
        .isInstanceOf(References.ForbiddenException.class);
    foreign.getMetadata().setAnnotations(Map.of("example.com/shared-with", "default"));
    client.update(foreign);
    assertThat(configOf(widget, client)).isPresent();
    widget.getSpec().setParts(List.of("other/foreign/one"));
    assertThatThrownBy(() -> configOf(widget, client)).isInstanceOf(IllegalArgumentException.class);
  }
}
