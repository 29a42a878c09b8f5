// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.client.owned.Prune;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.ownwrites.Overlay;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ReadableObjects;
import dev.windlass.object.ResourceType;
import dev.windlass.object.UndecodableException;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.testing.client.FakeContext;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Objects that do not fit their class, among others that do. */
@Timeout(60)
final class UnreadableObjectsTest {

  private static final String GROUP = "misfit.windlass.dev";

  /** A specification; in a misfit, the size is a text. */
  static final class Spec {
    public int size;
  }

  @Group(GROUP)
  @Version("v1")
  @Plural("parents")
  @SuppressWarnings("serial") // nobody serializes it
  static final class Parent extends CustomResource<Spec, Void> implements Namespaced {}

  @Group(GROUP)
  @Version("v1")
  @Plural("parts")
  @SuppressWarnings("serial") // nobody serializes it
  static final class Part extends CustomResource<Spec, Void> implements Namespaced {}

  @Group(GROUP)
  @Version("v1")
  @Plural("notes")
  @SuppressWarnings("serial") // nobody serializes it
  static final class Note extends CustomResource<Spec, Void> implements Namespaced {}

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @AutoClose
  private final Manager manager =
      Manager.builder().config(server.clientConfig()).checkPermissions(false).build();

  UnreadableObjectsTest() {
    for (String kind : List.of("Parent", "Part", "Note")) {
      server.install(Samples.crd(GROUP, kind));
    }
  }

  private static GenericKubernetesResource object(
      Class<? extends HasMetadata> type, String name, Object size) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(GROUP + "/v1");
    object.setKind(type.getSimpleName());
    object.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("default")
            .withName(name)
            .addToLabels("name", name)
            .build());
    object.setAdditionalProperty("spec", Map.of("size", size));
    return object;
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of("default", name);
  }

  private static List<String> names(List<? extends HasMetadata> objects) {
    return objects.stream().map(object -> object.getMetadata().getName()).sorted().toList();
  }

  /** Where a client reads. */
  enum Reader {
    CACHE,
    SERVER,
    FAKE
  }

  private Client client(Reader reader) {
    if (reader == Reader.FAKE) {
      return FakeClient.of(server);
    }
    if (reader == Reader.CACHE) {
      var cache = manager.cache(Part.class);
      manager.start();
      eventually().until(cache::hasSynced);
    }
    return manager.client();
  }

  private static List<String> sizes(Part part) {
    return List.of(String.valueOf(part.getSpec().size));
  }

  @ParameterizedTest
  @EnumSource
  void failTheListsThatSelectThem(Reader reader) {
    Client client = client(reader);
    client.create(object(Part.class, "good", 1));
    client.create(object(Part.class, "bad", "large"));
    for (ListParams selecting :
        List.of(ListParams.ALL, ListParams.in("default"), ListParams.ALL.withLabels("name=bad"))) {
      assertThatThrownBy(() -> client.list(Part.class, selecting))
          .isInstanceOf(UndecodableException.class)
          .hasMessageContaining("Part default/bad (version ")
          .hasMessageContaining("does not fit " + Part.class.getName() + " at spec.size");
      ReadableObjects<Part> readable = client.listReadable(Part.class, selecting);
      assertThat(names(readable.objects()))
          .isEqualTo(selecting.labels().toString().isEmpty() ? List.of("good") : List.of());
      assertThat(readable.unreadable()).containsOnlyKeys(key("bad"));
    }
    assertThat(names(client.list(Part.class, ListParams.ALL.withLabels("name=good"))))
        .containsExactly("good");
    assertThat(names(client.list(ResourceType.of(Part.class), ListParams.ALL)))
        .as("without a class")
        .containsExactly("bad", "good");
    assertThat(names(client.reading(Projection.METADATA).list(Part.class, ListParams.ALL)))
        .as("their metadata")
        .containsExactly("bad", "good");
  }

  @Test
  void areInNoIndexThatReadsThem() {
    manager.cache(Part.class).indexer().addIndex("size", part -> sizes(part.decode()));
    Client client = client(Reader.CACHE);
    client.create(object(Part.class, "good", 1));
    client.create(object(Part.class, "other", 2));
    client.create(object(Part.class, "bad", "large"));
    assertThat(names(client.list(Part.class, ListParams.ALL.withIndex("size", "1"))))
        .containsExactly("good");
  }

  @ParameterizedTest
  @EnumSource
  void arePrunedByTheirMetadata(Reader reader) {
    Client client = client(reader);
    GenericKubernetesResource owner = client.create(object(Parent.class, "owner", 1));
    for (String name : List.of("wanted", "unwanted", "foreign")) {
      GenericKubernetesResource part = object(Part.class, name, "large");
      if (!name.equals("foreign")) {
        OwnerReferences.setController(part, owner);
      }
      client.create(part);
    }
    assertThat(Prune.prune(client, owner, Part.class, List.of(object(Part.class, "wanted", 1))))
        .containsExactly(key("unwanted"));
    assertThat(names(client.list(ResourceType.of(Part.class), ListParams.ALL)))
        .containsExactly("foreign", "wanted");
  }

  @Test
  void affectOnlyTheirOwnerInAFakeContext() {
    Client client = FakeClient.of(server);
    client.create(object(Parent.class, "one", 1));
    client.create(object(Parent.class, "other", 1));
    Parent one = client.get(Parent.class, key("one")).orElseThrow();
    Parent other = client.get(Parent.class, key("other")).orElseThrow();
    GenericKubernetesResource bad = object(Part.class, "bad", "large");
    OwnerReferences.setController(bad, other);
    client.create(bad);
    assertThat(FakeContext.of(client, one).secondaries(Part.class)).isEmpty();
    assertThatThrownBy(() -> FakeContext.of(client, other).secondaries(Part.class))
        .isInstanceOf(UndecodableException.class);
  }

  /** Of each type, one object does not fit; all keys converge except that of the bad primary. */
  @Test
  void failNoOtherKey() {
    Client client = manager.client();
    Set<String> converged = ConcurrentHashMap.newKeySet();
    Set<String> seenBad = ConcurrentHashMap.newKeySet();
    ControllerBuilder.forType(Parent.class)
        .owns(Part.class)
        .watches(
            Note.class,
            EventHandler.mapping(
                note ->
                    client.listReadable(Parent.class, ListParams.ALL).objects().stream()
                        .map(parent -> new Request(ObjectKey.of(parent)))
                        .toList()))
        .objectReconciler((parent, context) -> reconcile(parent, context, converged, seenBad))
        .register(manager);
    client.create(object(Note.class, "bad", "large"));
    client.create(object(Parent.class, "bad", "large"));
    for (String name : List.of("a", "b", "unwanted", "wanted")) {
      GenericKubernetesResource parent = client.create(object(Parent.class, name, 1));
      if (name.endsWith("wanted")) {
        GenericKubernetesResource part = object(Part.class, name, "large");
        OwnerReferences.setController(part, parent);
        client.create(part);
      }
    }
    client.create(object(Part.class, "nobodys", "large"));
    manager.start();
    eventually().untilAsserted(() -> assertThat(converged).containsOnly("a", "b", "unwanted"));
    eventually().untilAsserted(() -> assertThat(seenBad).containsOnly("wanted"));
    assertThat(client.get(ResourceType.of(Part.class), key("unwanted"))).isEmpty();
    converged.clear();
    client.create(object(Note.class, "good", 1));
    eventually().untilAsserted(() -> assertThat(converged).contains("a", "b", "unwanted"));
  }

  private static Result reconcile(
      Parent parent, ReconcileContext context, Set<String> converged, Set<String> seenBad) {
    String name = parent.getMetadata().getName();
    List<GenericKubernetesResource> wanted =
        name.equals("wanted") ? List.of(object(Part.class, "wanted", 1)) : List.of();
    Prune.prune(context.client(), parent, Part.class, wanted);
    try {
      assertThat(context.secondaries(Part.class)).isEmpty();
    } catch (UndecodableException e) {
      seenBad.add(name);
      throw e;
    }
    converged.add(name);
    return Result.done();
  }

  /** While it is unclear what the cache lacks, the server is asked, and may return others. */
  @ParameterizedTest
  @ValueSource(strings = {"index", "index, all", "labels"})
  void failNoListThatDoesNotSelectThem(String how) {
    manager.cache(Part.class).indexer().addIndex("size", part -> sizes(part.decode()));
    Client client = client(Reader.CACHE);
    client.create(object(Part.class, "good", 1));
    client.create(object(Part.class, "bad", "large"));
    Overlay<?> overlay = manager.informers().existing(Part.class).orElseThrow().overlay();
    if (how.endsWith("all")) {
      overlay.allUnclear("default");
    } else {
      overlay.unclear(key("bad"), Long.MAX_VALUE);
    }
    ListParams good =
        how.equals("labels")
            ? ListParams.ALL.withLabels("name=good")
            : ListParams.ALL.withIndex("size", "1");
    assertThat(names(client.list(Part.class, good))).containsExactly("good");
    assertThatThrownBy(() -> client.list(Part.class, ListParams.ALL.withLabels("name=bad")))
        .isInstanceOf(UndecodableException.class);
  }
}
