// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static dev.windlass.client.owned.Operation.Result.CREATED;
import static dev.windlass.client.owned.Operation.Result.NONE;
import static dev.windlass.client.owned.Operation.Result.UPDATED;
import static dev.windlass.client.owned.Operation.Result.UPDATED_STATUS;
import static dev.windlass.client.owned.Operation.Result.UPDATED_STATUS_ONLY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.AlreadyExistsException;
import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.ConflictException;
import dev.windlass.client.DeleteParams;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.AlreadyOwnedException;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.NotControlledException;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.object.ResourceType;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for create-or-update and create-or-patch on each server. */
abstract class CreateOrUpdateContract {

  @AutoClose OwnedFixture on;

  private TestApiServer server;

  @BeforeEach
  void starts() {
    on = new OwnedFixture(server);
  }

  /** The two ways to write what differs. */
  enum Way {
    UPDATE {
      @Override
      <T extends HasMetadata> Operation<T> run(Client c, T skeleton, Consumer<T> mutation) {
        return CreateOrUpdate.createOrUpdate(c, skeleton, mutation);
      }
    },
    PATCH {
      @Override
      <T extends HasMetadata> Operation<T> run(Client c, T skeleton, Consumer<T> mutation) {
        return CreateOrUpdate.createOrPatch(c, skeleton, mutation);
      }
    };

    abstract <T extends HasMetadata> Operation<T> run(Client c, T skeleton, Consumer<T> mutation);
  }

  private void blue(ConfigMap map) {
    map.setData(Map.of("colour", "blue"));
    OwnerReferences.setController(map, on.owner);
  }

  @ParameterizedTest
  @EnumSource
  void createsOnceAndChangesWhatDiffers(Way way) {
    Client recorded = on.recorded();
    Operation<ConfigMap> created = way.run(recorded, on.configMap("a"), this::blue);
    assertThat(created.result()).isEqualTo(CREATED);
    assertThat(created.isChange()).isTrue();
    assertThat(on.get(ConfigMap.class, "a")).isEqualTo(created.object());
    assertThat(on.writes).containsExactly("create");

    Operation<ConfigMap> same = way.run(recorded, on.configMap("a"), this::blue);
    assertThat(same.result()).isEqualTo(NONE);
    assertThat(same.isChange()).isFalse();
    assertThat(on.writes).as("nothing is sent").hasSize(1);

    on.edit(ConfigMap.class, "a", map -> map.getData().put("colour", "red"));
    Operation<ConfigMap> updated = way.run(recorded, on.configMap("a"), this::blue);
    assertThat(updated.result()).isEqualTo(UPDATED);
    assertThat(updated.object().getData()).containsExactly(Map.entry("colour", "blue"));
    assertThat(on.get(ConfigMap.class, "a")).isEqualTo(updated.object());
    assertThat(on.writes).hasSize(2);
  }

  /** What the server and others have set stays. */
  @ParameterizedTest
  @EnumSource
  void leavesAloneWhatIsNotMentioned(Way way) {
    way.run(on.client, on.configMap("a"), this::blue);
    on.edit(ConfigMap.class, "a", map -> map.getMetadata().setLabels(Map.of("x", "y")));
    Operation<ConfigMap> operation =
        way.run(on.client, on.configMap("a"), map -> map.setData(Map.of("colour", "green")));
    assertThat(operation.object().getMetadata().getLabels()).containsEntry("x", "y");
    assertThat(OwnerReferences.isControlledBy(operation.object(), on.owner)).isTrue();
  }

  /** A mutation that drops the server's defaults differs each time; the result tells the truth. */
  @ParameterizedTest
  @EnumSource
  void reportsNoChangeWhenTheServerMakesNone(Way way) {
    Service skeleton =
        new ServiceBuilder()
            .withNewMetadata()
            .withNamespace(on.namespace)
            .withName("a")
            .endMetadata()
            .withNewSpec()
            .endSpec()
            .build();
    Consumer<Service> port80 =
        service ->
            service.getSpec().setPorts(List.of(new ServicePortBuilder().withPort(80).build()));
    assertThat(way.run(on.client, skeleton, port80).result()).isEqualTo(CREATED);
    Operation<Service> again = way.run(on.client, skeleton, port80);
    assertThat(again.result()).isEqualTo(NONE);
    assertThat(again.object().getSpec().getPorts().get(0).getProtocol()).isEqualTo("TCP");
  }

  @ParameterizedTest
  @EnumSource
  void writesTheStatusApart(Way way) {
    Widget skeleton = Widget.of(on.namespace, "owner");
    Operation<Widget> both =
        way.run(
            on.client,
            skeleton,
            widget -> {
              widget.getSpec().setSize(2);
              widget.setStatus(new Widget.Status());
              widget.getStatus().setReady(1);
            });
    assertThat(both.result()).isEqualTo(UPDATED_STATUS);
    assertThat(both.object().getSpec().getSize()).isEqualTo(2);
    assertThat(both.object().getStatus().getReady()).isEqualTo(1);
    assertThat(on.get(Widget.class, "owner").getMetadata()).isEqualTo(both.object().getMetadata());

    Client recorded = on.recorded();
    Operation<Widget> status =
        way.run(recorded, skeleton, widget -> widget.getStatus().setReady(2));
    assertThat(status.result()).isEqualTo(UPDATED_STATUS_ONLY);
    assertThat(status.object().getStatus().getReady()).isEqualTo(2);
    assertThat(status.object().getMetadata().getGeneration())
        .isEqualTo(both.object().getMetadata().getGeneration());
    assertThat(on.writes).hasSize(1).doesNotContain("update", "patch");

    Operation<Widget> content = way.run(recorded, skeleton, widget -> widget.getSpec().setSize(3));
    assertThat(content.result()).isEqualTo(UPDATED);
    assertThat(content.object().getStatus().getReady()).isEqualTo(2);
    assertThat(way.run(recorded, skeleton, widget -> {}).result()).isEqualTo(NONE);
    assertThat(on.writes).hasSize(2);
  }

  /** Nobody's change is overwritten unseen. */
  @Test
  void meetsAConflictWhenTheObjectHasChangedSince() {
    CreateOrUpdate.createOrUpdate(on.client, on.configMap("a"), this::blue);
    Consumer<ConfigMap> late =
        map -> {
          on.edit(ConfigMap.class, "a", m -> m.getData().put("other", "1"));
          map.setData(Map.of("colour", "green"));
        };
    assertThatThrownBy(() -> CreateOrUpdate.createOrUpdate(on.client, on.configMap("a"), late))
        .isInstanceOf(ConflictException.class);
    assertThat(on.get(ConfigMap.class, "a").getData()).containsEntry("colour", "blue");
  }

  /** A patch of fields leaves other changes alone; one of a list must not lose an entry. */
  @Test
  void meetsAConflictWhenAPatchReplacesAListThatHasChanged() {
    CreateOrUpdate.createOrUpdate(on.client, on.configMap("a"), this::blue);
    Runnable edit =
        () ->
            on.edit(
                ConfigMap.class,
                "a",
                m -> m.addFinalizer("example.com/other-" + System.nanoTime()));
    Operation<ConfigMap> fields =
        CreateOrUpdate.createOrPatch(
            on.client,
            on.configMap("a"),
            map -> {
              edit.run();
              map.setData(Map.of("colour", "green"));
            });
    assertThat(fields.result()).isEqualTo(UPDATED);
    assertThat(fields.object().getMetadata().getFinalizers()).hasSize(1);
    assertThatThrownBy(
            () ->
                CreateOrUpdate.createOrPatch(
                    on.client,
                    on.configMap("a"),
                    map -> {
                      edit.run();
                      map.getMetadata().setFinalizers(List.of("example.com/mine"));
                    }))
        .isInstanceOf(ConflictException.class);
    ConfigMap left = on.get(ConfigMap.class, "a");
    assertThat(left.getMetadata().getFinalizers()).hasSize(2);
    on.edit(ConfigMap.class, "a", m -> m.getMetadata().setFinalizers(List.of()));
  }

  /**
   * A stale cache, or a lost response, does not lead to a second child (docs/reliability.md, A13,
   * bug 28).
   */
  @ParameterizedTest
  @EnumSource
  void adoptsWhatItsOwnerHasMade(Way way) {
    way.run(on.client, on.configMap("a"), this::blue);
    Client behind = on.behind();
    assertThat(way.run(behind, on.configMap("a"), this::blue).result()).isEqualTo(NONE);
    Operation<ConfigMap> changed =
        way.run(
            behind,
            on.configMap("a"),
            map -> {
              blue(map);
              map.setData(Map.of("colour", "green"));
            });
    assertThat(changed.result()).isEqualTo(UPDATED);
    assertThat(on.get(ConfigMap.class, "a").getData()).containsEntry("colour", "green");
  }

  /** Whatever the cache knows: a cache that is behind, and one that is not, lead to the same. */
  @ParameterizedTest
  @EnumSource
  void leavesAloneWhatIsNotItsOwners(Way way) {
    way.run(on.client, on.configMap("nobodys"), map -> {});
    Widget other = on.client.create(Widget.of(on.namespace, "other"));
    way.run(on.client, on.configMap("others"), map -> OwnerReferences.setController(map, other));
    for (Client client : List.of(on.client, on.behind())) {
      assertThatThrownBy(() -> way.run(client, on.configMap("nobodys"), this::blue))
          .isExactlyInstanceOf(NotControlledException.class)
          .hasMessageContaining("exists and has no controller")
          .hasMessageEndingWith("take it over with Owned.adopt, or delete it.");
      assertThatThrownBy(() -> way.run(client, on.configMap("others"), this::blue))
          .isInstanceOf(AlreadyOwnedException.class);
      assertThatThrownBy(() -> way.run(client, on.configMap("others"), this::blueAlone))
          .as("a mutation that replaces the owners steals no controller, either")
          .isInstanceOf(AlreadyOwnedException.class);
      for (String name : List.of("nobodys", "others")) {
        assertThat(on.get(ConfigMap.class, name).getData()).isNullOrEmpty();
      }
    }
    assertThat(OwnerReferences.controllerOf(on.get(ConfigMap.class, "nobodys"))).isEmpty();
    assertThat(OwnerReferences.isControlledBy(on.get(ConfigMap.class, "others"), other)).isTrue();
    assertThatThrownBy(() -> way.run(on.behind(), on.configMap("nobodys"), map -> {}))
        .as("without a controller nothing is anybody's own")
        .isInstanceOf(AlreadyExistsException.class);
  }

  private void blueAlone(ConfigMap map) {
    map.getMetadata().setOwnerReferences(List.of());
    blue(map);
  }

  @ParameterizedTest
  @EnumSource
  void changesWhatWasTakenOverOnPurpose(Way way) {
    ConfigMap nobodys = way.run(on.client, on.configMap("nobodys"), map -> {}).object();
    ConfigMap adopted = Owned.adopt(on.client, on.owner, nobodys);
    assertThat(OwnerReferences.isControlledBy(adopted, on.owner)).isTrue();
    assertThat(way.run(on.client, on.configMap("nobodys"), this::blue).result()).isEqualTo(UPDATED);
  }

  /** An object of the same name that somebody else has made meanwhile is another one. */
  @ParameterizedTest
  @EnumSource
  void leavesAloneWhatHasReplacedItsOwn(Way way) {
    way.run(on.client, on.configMap("a"), this::blue);
    Consumer<ConfigMap> late =
        map -> {
          on.kubectl.resource(on.configMap("a")).delete();
          on.kubectl.resource(on.configMap("a")).create();
          map.setData(Map.of("colour", "green"));
        };
    assertThatThrownBy(() -> way.run(on.client, on.configMap("a"), late))
        .isInstanceOf(ApiException.class);
    assertThat(on.get(ConfigMap.class, "a").getData()).isNullOrEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void refusesAMutationOfTheName(Way way) {
    String message = "changed its name or namespace: it is now " + on.namespace + "/b";
    Consumer<ConfigMap> rename = map -> map.getMetadata().setName("b");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> way.run(on.client, on.configMap("a"), rename))
        .withMessageContaining(message);
    way.run(on.client, on.configMap("a"), this::blue);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> way.run(on.client, on.configMap("a"), rename))
        .withMessageContaining(message);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                way.run(
                    on.client, on.configMap("a"), map -> map.getMetadata().setNamespace("default")))
        .withMessageContaining("it is now default/a");
    assertThat(on.client.get(ConfigMap.class, on.key("b"))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void refusesSkeletonsThatNameNothing(Way way) {
    ConfigMap nameless = on.configMap("a");
    nameless.getMetadata().setName(null);
    nameless.getMetadata().setGenerateName("a-");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> way.run(on.client, nameless, map -> {}))
        .withMessageContaining("with generateName, a stale cache leads to duplicates");
    GenericKubernetesResource typeless = new GenericKubernetesResource();
    typeless.setMetadata(on.configMap("a").getMetadata());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> way.run(on.client, typeless, map -> {}))
        .withMessageContaining("set both");
  }

  /** Of a type that the program has no class for. */
  @ParameterizedTest
  @EnumSource
  void doesTheSameWithoutAClass(Way way) {
    Operation<GenericKubernetesResource> created = way.run(on.client, typeless(), this::sized);
    assertThat(created.result()).isEqualTo(CREATED);
    assertThat(on.get(Widget.class, "a").getSpec().getSize()).isEqualTo(7);
    assertThat(way.run(on.recorded(), typeless(), this::sized).result()).isEqualTo(NONE);
    assertThat(on.writes).isEmpty();
    on.edit(Widget.class, "a", widget -> widget.getSpec().setSize(1));
    assertThat(way.run(on.client, typeless(), this::sized).result()).isEqualTo(UPDATED);
    assertThat(on.get(Widget.class, "a").getSpec().getSize()).isEqualTo(7);
    assertThat(
            way.run(
                    on.client,
                    typeless(),
                    widget -> widget.setAdditionalProperty("status", Map.of("ready", 1)))
                .result())
        .isEqualTo(UPDATED_STATUS_ONLY);
    GenericKubernetesResource mine = typeless();
    mine.getMetadata().setName("b");
    mine.setAdditionalProperty("spec", Map.of("size", 1));
    assertThat(Owned.apply(on.client, on.owner, mine).result()).isEqualTo(CREATED);
    assertThat(Owned.apply(on.client, on.owner, mine).object().getMetadata().getUid())
        .isEqualTo(on.get(Widget.class, "b").getMetadata().getUid());
    assertThat(
            Prune.prune(
                on.client,
                on.owner,
                ResourceType.of(Widget.class),
                ListParams.in(on.namespace),
                List.of(typeless()),
                DeleteParams.DEFAULT))
        .containsExactly(on.key("b"));
  }

  @ParameterizedTest
  @EnumSource
  void writesAStatusThatIsNoSubresource(Way way) {
    CustomResourceDefinition crd = Samples.crd("owned.windlass.dev", "Gadget");
    crd.getSpec().getVersions().forEach(version -> version.setSubresources(null));
    server.install(crd);
    UnaryOperator<Integer> ready =
        number -> {
          GenericKubernetesResource gadget = typeless();
          gadget.setKind("Gadget");
          return way.run(
                  on.client,
                  gadget,
                  g -> g.setAdditionalProperty("status", Map.of("ready", number)))
              .object()
              .get("status", "ready");
        };
    assertThat(ready.apply(1)).as("created").isEqualTo(1);
    assertThat(ready.apply(2)).isEqualTo(2);
  }

  private GenericKubernetesResource typeless() {
    GenericKubernetesResource widget = new GenericKubernetesResource();
    widget.setApiVersion("owned.windlass.dev/v1");
    widget.setKind("Widget");
    widget.setMetadata(on.configMap("a").getMetadata());
    return widget;
  }

  private void sized(GenericKubernetesResource widget) {
    widget.setAdditionalProperty("spec", Map.of("size", 7, "parts", List.of()));
    OwnerReferences.setController(widget, on.owner);
  }
}
