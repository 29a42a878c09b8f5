// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.client.ObjectPatch;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.Projection;
import dev.windlass.object.ResourceType;
import dev.windlass.object.Transform;
import dev.windlass.rbac.Verb;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What caches answer that hold some objects of a type, or a part of each, and what they don't. */
@Timeout(60)
final class NarrowedCachesTest {

  private static final ResourceType MAPS = ResourceType.of(ConfigMap.class);
  private static final Transform NO_DATA = Transform.dropFields("data");
  private static final Reconciler NOTHING = (request, context) -> Result.done();

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubectl = server.newClient();

  @BeforeEach
  void fills() {
    for (String namespace : List.of("a", "b", "c")) {
      kubectl.resource(Samples.namespace(namespace)).create();
      kubectl.resource(map(namespace, "web", "web")).create();
      kubectl.resource(map(namespace, "other", "other")).create();
    }
  }

  private static ConfigMap map(String namespace, String name, String app) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .addToLabels("app", app)
        .endMetadata()
        .addToData("secret", "value")
        .build();
  }

  private static InformerSpec<ConfigMap> web() {
    return InformerSpec.of(ConfigMap.class).in(WatchScope.ALL.withLabels("app=web"));
  }

  private ManagerBuilder manager() {
    return Manager.builder().config(server.clientConfig()).checkPermissions(false);
  }

  /** Starts it, and forgets all requests until its caches have synced. */
  private Client started(Manager manager) {
    manager.start();
    eventually()
        .until(
            () ->
                !manager.informers().informers().isEmpty()
                    && manager.informers().informers().stream().allMatch(i -> i.hasSynced()));
    server.clearRequests();
    return manager.client();
  }

  /** GETs and LISTs of ConfigMaps; what informers send are lists, too, but before. */
  private List<String> reads() {
    return server.requests().stream()
        .filter(r -> r.resource().equals("configmaps"))
        .filter(r -> r.verb().name().equals("GET") || r.verb().name().equals("LIST"))
        .map(NarrowedCachesTest::text)
        .toList();
  }

  private static String text(RecordedRequest request) {
    return request.verb() + " " + request.namespace() + "/" + request.name();
  }

  private static List<String> names(List<? extends HasMetadata> objects) {
    return objects.stream().map(object -> ObjectKey.of(object).toString()).sorted().toList();
  }

  /** Was a list of the whole cluster, which the printed Role forbids. */
  @Test
  void aListOfAllByAControllerInSomeNamespacesIsTheUnionOfThese() {
    try (Manager manager = manager().build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .inNamespaces("a", "b")
          .reconciler(NOTHING)
          .register(manager);
      Client client = started(manager);
      assertThat(names(client.list(ConfigMap.class, ListParams.ALL)))
          .containsExactly("a/other", "a/web", "b/other", "b/web");
      assertThat(names(client.list(ConfigMap.class, ListParams.ALL.withLabels("app=web"))))
          .containsExactly("a/web", "b/web");
      assertThat(client.list(ConfigMap.class, ListParams.ALL.withLimit(3))).hasSize(3);
      assertThat(names(client.list(ConfigMap.class, "b"))).containsExactly("b/other", "b/web");
      assertThat(client.get(ConfigMap.class, ObjectKey.of("a", "web"))).isPresent();
      assertThat(client.get(ConfigMap.class, ObjectKey.of("a", "none"))).isEmpty();
      assertThat(reads()).isEmpty();
      assertThat(client.uncached().list(ConfigMap.class, ListParams.ALL)).hasSize(6);
      assertThat(names(client.list(ConfigMap.class, "c"))).containsExactly("c/other", "c/web");
    }
  }

  /** What it has declared is in its printed Role, and then the question is for the server. */
  @Test
  void aProgramThatDeclaresToListEverywhereDoes() {
    try (Manager manager = manager().build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .inNamespaces("a", "b")
          .reconciler(NOTHING)
          .register(manager);
      manager.uses(ConfigMap.class, Verb.LIST);
      Client client = started(manager);
      assertThat(client.list(ConfigMap.class, ListParams.ALL)).hasSize(6);
      assertThat(reads()).containsExactly("LIST /");
    }
  }

  /** A cache of one namespace by itself says nothing of what the program may read. */
  @Test
  void aSpecOfOneNamespaceDoesNotRestrictLists() {
    try (Manager manager = manager().build()) {
      ControllerBuilder.forType(InformerSpec.of(ConfigMap.class).in(WatchScope.namespace("a")))
          .reconciler(NOTHING)
          .register(manager);
      Client client = started(manager);
      assertThat(client.list(ConfigMap.class, ListParams.ALL)).hasSize(6);
      assertThat(reads()).containsExactly("LIST /");
    }
  }

  /** Was a request for each. */
  @Test
  void typesWithoutAClassAreReadFromCaches() {
    try (Manager manager = manager().build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      GenericKubernetesResource read = client.get(MAPS, ObjectKey.of("a", "web")).orElseThrow();
      assertThat(read.<Map<String, String>>get("data")).containsEntry("secret", "value");
      assertThat(read.getKind()).isEqualTo("ConfigMap");
      assertThat(client.get(MAPS, ObjectKey.of("a", "none"))).isEmpty();
      assertThat(client.list(MAPS, ListParams.ALL)).hasSize(6);
      assertThat(client.update(read)).isEqualTo(read);
      assertThat(server.requests()).as("nor is a write that changes nothing sent").isEmpty();
      read.setAdditionalProperty("data", Map.of("secret", "new"));
      client.update(read);
      assertThat(
              client
                  .get(MAPS, ObjectKey.of("a", "web"))
                  .orElseThrow()
                  .<Map<String, String>>get("data"))
          .containsEntry("secret", "new");
      assertThat(reads()).isEmpty();
    }
  }

  @Test
  void typedReadsAreAnsweredByACacheWithoutAClass() {
    try (Manager manager = manager().build()) {
      ControllerBuilder.forType(InformerSpec.of(MAPS)).reconciler(NOTHING).register(manager);
      Client client = started(manager);
      assertThat(client.get(ConfigMap.class, ObjectKey.of("a", "web")).orElseThrow().getData())
          .containsEntry("secret", "value");
      assertThat(client.list(ConfigMap.class, "b")).hasSize(2);
      assertThat(reads()).isEmpty();
    }
  }

  @Test
  void eachMissInANarrowedCacheIsOneRequestAndNothingIsRemembered() {
    try (Manager manager = manager().cache(web()).build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      for (int i = 1; i <= 3; i++) {
        assertThat(client.get(ConfigMap.class, ObjectKey.of("a", "other"))).isPresent();
        assertThat(reads()).hasSize(i).containsOnly("GET a/other");
      }
      kubectl.resource(map("a", "other", "other")).delete();
      assertThat(client.get(ConfigMap.class, ObjectKey.of("a", "other"))).isEmpty();
    }
  }

  @Test
  void aQuestionThatIsNotCertainlyAsNarrowIsForTheServer() {
    try (Manager manager = manager().cache(web()).build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      ListParams here = ListParams.in("a");
      for (String covered : List.of("app=web", "app==web,!gone", "app in (web)")) {
        assertThat(client.list(ConfigMap.class, here.withLabels(covered))).hasSize(1);
      }
      assertThat(reads()).isEmpty();
      for (String wider : List.of("app", "app in (web,other)", "app!=x")) {
        assertThat(client.list(ConfigMap.class, here.withLabels(wider))).isNotEmpty();
      }
      assertThat(client.list(ConfigMap.class, here)).hasSize(2);
      assertThat(reads()).hasSize(4);
    }
  }

  /** Own writes that change the labels, without a request but the writes. */
  @Test
  void anObjectThatAnOwnWriteMovesEntersAndLeavesAtOnce() {
    try (Manager manager = manager().cache(web()).build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      ListParams mine = ListParams.in("a").withLabels("app=web");
      for (int i = 0; i < 20; i++) {
        client.patch(map("a", "web", ""), label("other"));
        assertThat(client.list(ConfigMap.class, mine)).as("round %d", i).isEmpty();
        assertThat(client.get(ConfigMap.class, ObjectKey.of("a", "web"))).isPresent();
        client.patch(map("a", "web", ""), label("web"));
        assertThat(client.list(ConfigMap.class, mine)).as("round %d", i).hasSize(1);
      }
      assertThat(reads()).as("no list").allMatch("GET a/web"::equals);
    }
  }

  private static ObjectPatch label(String app) {
    return ObjectPatch.merge("{\"metadata\":{\"labels\":{\"app\":\"" + app + "\"}}}");
  }

  @Test
  void aTransformedCacheAnswersThoseWhoAskForThatForm() {
    ObjectKey key = ObjectKey.of("a", "web");
    try (Manager manager = manager().cacheTransform(NO_DATA).build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      Client reader = client.reading(NO_DATA);
      assertThat(reader.get(ConfigMap.class, key).orElseThrow().getData()).isEmpty();
      assertThat(reader.list(ConfigMap.class, ListParams.ALL)).hasSize(6);
      Client metadata = client.reading(Projection.METADATA);
      assertThat(reads()).isEmpty();
      assertThat(client.get(ConfigMap.class, key).orElseThrow().getData()).hasSize(1);
      assertThat(client.list(ConfigMap.class, "a")).hasSize(2);
      assertThat(metadata.get(ConfigMap.class, key).orElseThrow().getData()).isEmpty();
      assertThat(reads()).containsExactly("GET a/web", "LIST a/", "GET a/web");
      assertThat(client.reading(Transform.dropFields("data")).get(ConfigMap.class, key))
          .isPresent();
      assertThat(reads()).as("an equal transform is the same form").hasSize(3);
      Client another = client.reading(Transform.dropFields("data", "binaryData"));
      assertThat(another.get(ConfigMap.class, key).orElseThrow().getData())
          .as("the form is the same where the server answers")
          .isEmpty();
      assertThat(reads()).hasSize(4);
    }
  }

  @Test
  void metadataIsReadFromCachesOfMetadataAndOfMore() {
    ObjectKey key = ObjectKey.of("a", "web");
    for (Projection kept : List.of(Projection.METADATA, Projection.STRIPPED, Projection.FULL)) {
      try (Manager manager = manager().cache(InformerSpec.of(ConfigMap.class).with(kept)).build()) {
        manager.cache(ConfigMap.class);
        Client reader = started(manager).reading(Projection.METADATA);
        ConfigMap read = reader.get(ConfigMap.class, key).orElseThrow();
        assertThat(read.getData()).isEmpty();
        assertThat(read.getMetadata().getLabels()).containsEntry("app", "web");
        assertThat(reader.list(ConfigMap.class, "a")).hasSize(2);
        assertThat(reader.get(MAPS, key)).isPresent();
        assertThat(reads()).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> reader.update(read));
      }
    }
  }

  /** A PUT would delete what the cache has dropped. */
  @Test
  void whatLacksSomethingIsNotSentBackAsAWhole() {
    ObjectKey key = ObjectKey.of("a", "web");
    try (Manager manager =
        manager().cache(InformerSpec.of(ConfigMap.class).with(NO_DATA)).fieldOwner("me").build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      Client reader = client.reading(NO_DATA);
      ConfigMap read = reader.get(ConfigMap.class, key).orElseThrow();
      ConfigMap copy = new ConfigMapBuilder(read).addToData("mine", "x").build();
      for (ConfigMap each : List.of(read, copy)) {
        for (Client writer : List.of(client, reader)) {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> writer.update(each))
              .withMessageContaining("ConfigMap a/web was read from a cache with a transform")
              .withMessageContaining("Patch.mergeFrom")
              .withMessageContaining("client.uncached().get");
        }
      }
      ConfigMap changed =
          new ConfigMapBuilder(read)
              .editMetadata()
              .addToAnnotations("k", "v")
              .endMetadata()
              .build();
      client.patch(changed, ObjectPatch.mergeFrom(read));
      ConfigMap whole = client.uncached().get(ConfigMap.class, key).orElseThrow();
      assertThat(whole.getData()).containsEntry("secret", "value");
      assertThat(whole.getMetadata().getAnnotations()).containsEntry("k", "v");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> client.patch(changed, ObjectPatch.mergeFrom(whole)))
          .withMessageContaining("read both with the same client");
      whole.getData().put("more", "y");
      client.update(whole);
      client.apply(map("a", "web", "web"));
      assertThat(kubectl.configMaps().inNamespace("a").withName("web").get().getData())
          .containsOnlyKeys("secret", "more");
    }
  }

  /** Nor is a status that may lack something; one that is whole may be. */
  @Test
  void aStatusIsSentBackIfTheTransformHasKeptIt() {
    kubectl.resource(Samples.deployment("a", "d")).create();
    ObjectKey key = ObjectKey.of("a", "d");
    // The server's own controller writes the status first.
    eventually()
        .until(
            () -> {
              DeploymentStatus own =
                  kubectl.resource(Samples.deployment("a", "d")).get().getStatus();
              return own != null && own.getObservedGeneration() != null;
            });
    Transform unknown = tree -> tree.remove("spec", "template");
    Transform known = Transform.dropFields("spec");
    for (Transform transform : List.of(known, unknown)) {
      try (Manager manager = manager().cacheTransform(transform).build()) {
        manager.cache(Deployment.class);
        Client client = started(manager).reading(transform);
        Deployment read = client.get(Deployment.class, key).orElseThrow();
        DeploymentStatus status = new DeploymentStatus();
        status.setObservedGeneration(5L);
        read.setStatus(status);
        if (transform == known) {
          client.updateStatus(read);
        } else {
          assertThatIllegalArgumentException()
              .isThrownBy(() -> client.updateStatus(read))
              .withMessageContaining("update of status")
              .withMessageContaining("client.subresource(\"status\").patch");
        }
      }
    }
    Deployment now = kubectl.apps().deployments().inNamespace("a").withName("d").get();
    assertThat(now.getStatus().getObservedGeneration()).isEqualTo(5);
    assertThat(now.getSpec().getTemplate().getSpec().getContainers()).hasSize(1);
  }

  @Test
  void anUpdateOfWhatANarrowedCacheHasIsNotSentIfItChangesNothing() {
    try (Manager manager = manager().cache(web()).build()) {
      manager.cache(ConfigMap.class);
      Client client = started(manager);
      client.update(client.get(ConfigMap.class, ObjectKey.of("a", "web")).orElseThrow());
      assertThat(server.requests()).isEmpty();
    }
  }
}
