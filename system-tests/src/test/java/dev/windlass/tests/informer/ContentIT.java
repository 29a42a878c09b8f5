// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.index.Query;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.UndecodableException;
import dev.windlass.testing.apiserver.BulkLoader;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What informers receive from a healthy API server, including each way to request less than
 * everything. Covers docs/reliability.md, E1, E4 and F1.
 */
class ContentIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private static RealApiServer server() {
    return kubernetes.server();
  }

  private static ConfigMaps maps(String namespace) {
    return new ConfigMaps(server(), "content-" + namespace);
  }

  @BeforeAll
  static void installWidgets() {
    server().install(Widget.definition());
  }

  private static final ResourceType WIDGETS = ResourceType.of(Widget.class);

  private static InformerSpec<Widget> widgetsIn(String namespace) {
    return InformerSpec.of(Widget.class).in(WatchScope.namespace(namespace));
  }

  private static void create(ConfigMaps maps, String name, String size)
      throws InterruptedException {
    String json = Widget.json(name, size, "");
    assertThat(
            BulkLoader.with(maps.client())
                .create(WIDGETS.path(maps.namespace()), 1, i -> json)
                .count())
        .isEqualTo(1);
  }

  /** An object that does not fit its class affects its readers only. */
  @Test
  void keepsAnObjectThatDoesNotFitItsClass() throws InterruptedException {
    try (ConfigMaps maps = maps("e1");
        Line streaming = Line.to(server());
        Line paged = Line.inPagesTo(server())) {
      String namespace = maps.namespace();
      for (int i = 0; i < 5; i++) {
        create(maps, "good-" + i, String.valueOf(i));
      }
      create(maps, "bad", "\"large\"");
      for (Line line : new Line[] {streaming, paged}) {
        Follower<Widget> follower = line.followSynced(widgetsIn(namespace));
        eventually().until(() -> follower.events().objects().size() == 6);

        ObjectKey bad = ObjectKey.of(namespace, "bad");
        ReadableObjects<Widget> readable = follower.informer().lister().listReadable(Query.ALL);
        assertThat(readable.objects()).hasSize(5);
        assertThat(readable.unreadable()).containsOnlyKeys(bad);
        assertThatThrownBy(() -> follower.informer().lister().get(bad))
            .isInstanceOf(UndecodableException.class)
            .hasMessageContaining("spec.size");
        assertThat(follower.informer().indexer().get(bad).orElseThrow().metadata().getName())
            .isEqualTo("bad");
        assertThat(follower.informer().lister().get(ObjectKey.of(namespace, "good-3")))
            .hasValueSatisfying(widget -> assertThat(widget.getSpec().getSize()).isEqualTo(3));
        assertThat(follower.status().undecodable()).isPositive();
        assertThat(follower.informer().problem()).isEmpty();
      }

      maps.client()
          .genericKubernetesResources(WIDGETS.apiVersion(), "Widget")
          .inNamespace(namespace)
          .withName("bad")
          .edit(
              widget -> {
                widget.setAdditionalProperty("spec", Map.of("size", 9));
                return widget;
              });
      var lister = streaming.informers().informer(widgetsIn(namespace)).lister();
      eventually().until(() -> lister.listReadable(Query.ALL).objects().size() == 6);
    }
  }

  /** Unusual characters are returned unchanged. */
  @Test
  void bringsEachCharacterAsItIs() {
    String odd =
        "Grüße, \u0645\u0631\u062D\u0628\u0627 \u202Ertl\u202C \uD83D\uDEA2 \u0001\u007F \"\\ \n\t \u2028 z\u0335";
    String longest = ("n".repeat(62) + ".").repeat(4).substring(0, 252) + "z";
    try (ConfigMaps maps = maps("e4");
        Line streaming = Line.to(server());
        Line paged = Line.inPagesTo(server())) {
      maps.create("odd", Map.of(), odd);
      maps.create(longest);
      for (Line line : new Line[] {streaming, paged}) {
        Follower<ConfigMap> follower = line.followSynced(maps.all());
        maps.awaitIn(follower);
        var lister = follower.informer().lister();
        assertThat(lister.get(ObjectKey.of(maps.namespace(), "odd")).orElseThrow().getData())
            .containsEntry("text", odd);
        assertThat(lister.get(ObjectKey.of(maps.namespace(), longest))).isPresent();
        ConfigMap direct =
            maps.client().configMaps().inNamespace(maps.namespace()).withName("odd").get();
        assertThat(direct.getData()).as("the server kept it, too").containsEntry("text", odd);
      }
      maps.update("odd", odd + odd);
      var lister = streaming.informers().informer(maps.all()).lister();
      eventually()
          .untilAsserted(
              () ->
                  assertThat(
                          lister.get(ObjectKey.of(maps.namespace(), "odd")).orElseThrow().getData())
                      .containsEntry("text", odd + odd));
    }
  }

  /** A removed type takes its objects with it; when it returns, the informer recovers. */
  @Test
  void outlivesItsCustomResourceDefinition() throws InterruptedException {
    var definition = Samples.crd("testing.windlass.dev", "Gadget");
    server().install(definition);
    ResourceType type = new ResourceType("testing.windlass.dev", "v1", "gadgets", "Gadget", true);
    try (ConfigMaps maps = maps("f1");
        Line line = Line.to(server());
        Line away = Line.to(server())) {
      InformerSpec<GenericKubernetesResource> spec = InformerSpec.of(type);
      String gadget =
          """
          {"apiVersion":"testing.windlass.dev/v1","kind":"Gadget","metadata":{"name":"first"}}
          """;
      String another = gadget.replace("first", "second");
      BulkLoader loader = BulkLoader.with(maps.client());
      assertThat(loader.create(type.path(maps.namespace()), 1, i -> gadget).count()).isEqualTo(1);
      Follower<GenericKubernetesResource> follower = line.followSynced(spec);
      Follower<GenericKubernetesResource> absent = away.followSynced(spec);
      final Follower<ConfigMap> other = line.followSynced(maps.all());
      away.network().cut();

      maps.client().apiextensions().v1().customResourceDefinitions().resource(definition).delete();

      eventually().until(() -> follower.informer().indexer().size() == 0);
      eventually().until(() -> follower.events().objects().isEmpty());
      eventually().until(() -> follower.failures(Reason.UNKNOWN_TYPE) > 0);
      away.network().heal();
      eventually().until(() -> absent.failures(Reason.UNKNOWN_TYPE) > 0);
      assertThat(follower.informer().problem().orElseThrow().toString()).contains("CRD");
      assertThat(follower.failures(Reason.UNKNOWN_TYPE)).as("it does not hammer").isLessThan(10);
      maps.create("meanwhile");
      maps.awaitIn(other);

      server().install(definition);
      assertThat(loader.create(type.path(maps.namespace()), 1, i -> another).count()).isEqualTo(1);

      ObjectKey second = ObjectKey.of(maps.namespace(), "second");
      for (var returned : List.of(follower, absent)) {
        eventually()
            .untilAsserted(
                () -> assertThat(returned.events().objects().keySet()).containsExactly(second));
        assertThat(returned.informer().indexer().keys()).containsExactly(second);
        assertThat(returned.events().contradictions()).isEmpty();
      }
      assertThat(absent.events().deletions())
          .as("nobody told it of the end of the first")
          .hasSize(1)
          .allMatch(deleted -> deleted.finalStateUnknown());
    }
  }
}
