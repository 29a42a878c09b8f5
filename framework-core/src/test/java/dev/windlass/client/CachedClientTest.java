// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Http;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
final class CachedClientTest {

  private static final ObjectKey KEY = ObjectKey.of("here", "a");
  private static final String MAP = "/api/v1/namespaces/%s/configmaps%s";

  private final Http server = new Http();
  private final FakeListerWatcher watched = new FakeListerWatcher();
  private final KubernetesClient fabric8 = server.newClient();
  private SharedInformerFactory informers = informers(WatchScope.ALL);
  private Client client = new CachedClient(fabric8, informers);

  @AfterEach
  void closes() throws InterruptedException {
    assertThat(informers.shutDown(Duration.ofSeconds(20))).isTrue();
    watched.assertNothingOpen();
    fabric8.close();
    server.close();
  }

  private SharedInformerFactory informers(WatchScope scope) {
    return new SharedInformerFactory(
        (type, where) -> watched,
        scope,
        InformerOptions.defaults().withScheduler(new ManualScheduler()));
  }

  private void scope(WatchScope scope) {
    informers = informers(scope);
    client = new CachedClient(fabric8, informers);
  }

  private static String map(String namespace, String name) {
    return """
    {"kind":"ConfigMap","apiVersion":"v1","metadata":{"namespace":"%s","name":"%s"},\
    "data":{"from":"%s"}}\
    """
        .formatted(namespace, name, name);
  }

  private <T extends HasMetadata> void cache(Class<T> type) {
    SharedIndexInformer<T> informer = informers.informer(type);
    informers.start();
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
  }

  private static List<String> names(List<? extends HasMetadata> objects) {
    return objects.stream().map(object -> object.getMetadata().getName()).sorted().toList();
  }

  @Test
  void readsFromTheCacheWithoutARequest() {
    watched.put(map("here", "a"));
    watched.put(map("here", "b"));
    watched.put(map("there", "c"));
    cache(ConfigMap.class);
    assertThat(client.get(ConfigMap.class, KEY).orElseThrow().getData()).containsEntry("from", "a");
    assertThat(client.get(ConfigMap.class, ObjectKey.of("here", "c"))).isEmpty();
    assertThat(names(client.list(ConfigMap.class, "here"))).containsExactly("a", "b");
    assertThat(names(client.list(ConfigMap.class, ""))).containsExactly("a", "b", "c");
    assertThat(server.lines()).isEmpty();
  }

  /** The cache does not answer reads of a key whose last write has an unknown outcome. */
  @Test
  void asksTheServerForWhatIsUnclear() {
    watched.put(map("here", "a"));
    watched.put(map("here", "b"));
    cache(ConfigMap.class);
    var overlay = informers.informer(ConfigMap.class).overlay();
    server.answer(
        "GET " + MAP.formatted("here", "/a"), map("here", "a").replace("\"a\"}}", "\"live\"}}"));
    overlay.unclear(KEY, -1);
    assertThat(client.get(ConfigMap.class, KEY).orElseThrow().getData())
        .containsEntry("from", "live");
    assertThat(client.list(ConfigMap.class, "here"))
        .extracting(map -> map.getData().get("from"))
        .containsExactlyInAnyOrder("live", "b");
    assertThat(server.lines()).containsOnly("GET " + MAP.formatted("here", "/a")).hasSize(2);
    assertThat(client.get(ConfigMap.class, ObjectKey.of("here", "b"))).isPresent();
    assertThat(server.lines()).as("what is clear costs nothing").hasSize(2);

    overlay.allUnclear("here");
    server.answer("GET " + MAP.formatted("here", ""), "{\"kind\":\"ConfigMapList\",\"items\":[]}");
    assertThat(client.list(ConfigMap.class, "here")).as("the whole of it").isEmpty();
  }

  /** Whatever a caller does to an object, the cache keeps what the server said. */
  @Test
  void handsOutACopyEachTime() {
    watched.put(map("here", "a"));
    cache(ConfigMap.class);
    ConfigMap mine = client.get(ConfigMap.class, KEY).orElseThrow();
    mine.getData().put("from", "me");
    mine.getMetadata().setName("mine");
    client.list(ConfigMap.class, "here").get(0).getData().clear();
    ConfigMap again = client.get(ConfigMap.class, KEY).orElseThrow();
    assertThat(again).isNotSameAs(mine);
    assertThat(again.getData()).containsEntry("from", "a");
    assertThat(names(client.list(ConfigMap.class, "here"))).containsExactly("a");
  }

  @Test
  void asksTheServerUntilTheCacheHasSynced() {
    watched.put(map("here", "cached"));
    watched.hold();
    SharedIndexInformer<ConfigMap> informer = informers.informer(ConfigMap.class);
    informers.start();
    server.answer("GET " + MAP.formatted("here", "/a"), map("here", "live"));
    assertThat(client.get(ConfigMap.class, KEY).orElseThrow().getData())
        .containsEntry("from", "live");
    assertThat(server.lines()).hasSize(1);
    watched.release();
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
    assertThat(client.get(ConfigMap.class, KEY)).isEmpty();
    assertThat(server.lines()).hasSize(1);
  }

  private void assertNoListByIndex(String namespace, String why) {
    ListParams byIndex = ListParams.ALL.inNamespace(namespace).withIndex("owner", "x");
    assertThatThrownBy(() -> client.list(ConfigMap.class, byIndex))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("configmaps")
        .hasMessageContaining("by the index owner requires a cache")
        .hasMessageContaining(why);
  }

  /** The server knows no indices, so a list by one names the real cause if no cache answers. */
  @Test
  void saysWhyNoCacheAnswersAListByAnIndex() {
    assertNoListByIndex("here", "no cache holds these objects: watch the type with a controller");
    scope(WatchScope.namespace("here"));
    watched.put(map("here", "cached"));
    watched.put(map("here", "other"));
    watched.hold();
    SharedIndexInformer<ConfigMap> informer = informers.informer(ConfigMap.class);
    informer
        .indexer()
        .addIndex("owner", map -> List.of(map.key().name().equals("cached") ? "x" : "y"));
    informers.start();
    for (String advice : List.of("has not synced yet", "ControllerBuilder.watchesReferenced")) {
      assertNoListByIndex("here", advice);
    }
    assertNoListByIndex("there", "holds only namespace here");
    watched.release();
    Eventually.that(() -> assertThat(informer.hasSynced()).isTrue());
    ListParams byIndex = ListParams.in("here").withIndex("owner", "x");
    assertThat(names(client.list(ConfigMap.class, byIndex))).containsExactly("cached");
    assertNoListByIndex("there", "holds only namespace here");
    assertThat(server.lines()).as("requests").isEmpty();
  }

  /** And does not make a cache of what nobody watches. */
  @Test
  void asksTheServerForATypeThatNobodyWatches() {
    cache(ConfigMap.class);
    server.answer(
        "GET /api/v1/namespaces/here/secrets/a",
        "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\"}}");
    assertThat(client.get(Secret.class, KEY)).isPresent();
    assertThat(client.get(Secret.class, ObjectKey.of("here", "absent"))).isEmpty();
    assertThat(server.lines())
        .containsExactly(
            "GET /api/v1/namespaces/here/secrets/a", "GET /api/v1/namespaces/here/secrets/absent");
    assertThat(informers.existing(Secret.class)).isEmpty();
  }

  /** A cache of one namespace knows nothing of others. */
  @ParameterizedTest
  @CsvSource({
    "of the namespace of the scope, here, true",
    "of another namespace, there, false",
    "'of all namespaces, of which the Role allows one', '', true"
  })
  void asksTheServerForWhatTheScopeDoesNotHold(String read, String namespace, boolean cached) {
    scope(WatchScope.namespace("here"));
    watched.put(map("here", "cached"));
    cache(ConfigMap.class);
    String list =
        "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[" + map("x", "live") + "]}";
    server.answer("GET " + MAP.formatted("there", ""), list);
    assertThat(names(client.list(ConfigMap.class, namespace)))
        .containsExactly(cached ? "cached" : "live");
    assertThat(server.lines()).hasSize(cached ? 0 : 1);
  }

  @Test
  void readsWhatIsClusterScopedFromTheCacheInEveryScope() {
    scope(WatchScope.namespace("here"));
    watched.put("{\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"admin\"}}");
    cache(ClusterRole.class);
    assertThat(client.get(ClusterRole.class, ObjectKey.of("admin"))).isPresent();
    assertThat(names(client.list(ClusterRole.class, ""))).containsExactly("admin");
    assertThat(server.lines()).isEmpty();
  }

  @Test
  void asksTheServerWhenToldTo() {
    watched.put(map("here", "a"));
    cache(ConfigMap.class);
    server.answer("GET " + MAP.formatted("here", "/a"), map("here", "live"));
    assertThat(client.uncached().get(ConfigMap.class, KEY).orElseThrow().getData())
        .containsEntry("from", "live");
    assertThat(client.uncached().uncached()).isSameAs(client.uncached());
  }

  /** fabric8 would silently take the namespace of the kubeconfig: somebody else's object. */
  @Test
  void refusesAKeyWithoutTheNamespaceThatItsTypeNeeds() {
    ObjectKey bare = ObjectKey.of("a");
    for (Client each : List.of(client, client.uncached())) {
      assertThatThrownBy(() -> each.get(ConfigMap.class, bare))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("ConfigMap is a namespaced type, and 'a' names no namespace");
      assertThatThrownBy(() -> each.delete(ConfigMap.class, bare))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(server.lines()).isEmpty();
  }

  private record Scoped(String what, Consumer<Client> call) {}

  static Stream<Scoped> scoped() {
    ObjectKey key = ObjectKey.of("here", "admin");
    ResourceType type = ResourceType.of(ClusterRole.class);
    ListParams here = ListParams.in("here");
    return Stream.of(
        new Scoped("get", c -> c.get(ClusterRole.class, key)),
        new Scoped("get without a class", c -> c.get(type, key)),
        new Scoped("list", c -> c.list(ClusterRole.class, "here")),
        new Scoped("list without a class", c -> c.list(type, here)),
        new Scoped("delete", c -> c.delete(ClusterRole.class, key)),
        new Scoped("delete without a class", c -> c.delete(type, key, DeleteParams.DEFAULT)),
        new Scoped("delete all", c -> c.deleteAllOf(ClusterRole.class, here, DeleteParams.DEFAULT)),
        new Scoped(
            "subresource",
            c -> c.subresource("status").read(ClusterRole.class, key, ClusterRole.class)));
  }

  /** A namespace for a type that has none would otherwise look like an object that is absent. */
  @ParameterizedTest
  @MethodSource("scoped")
  void refusesANamespaceThatTheTypeDoesNotHave(Scoped c) {
    watched.put("{\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"admin\"}}");
    cache(ClusterRole.class);
    for (Client each : List.of(client, client.uncached())) {
      assertThatThrownBy(() -> c.call().accept(each))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("ClusterRole is a cluster-scoped type, and ")
          .hasMessageContaining("here");
    }
    assertThat(server.lines()).isEmpty();
  }

  @Test
  void ignoresTheNamespaceOfAnObjectWhoseTypeHasNone() {
    ClusterRole role =
        new ClusterRoleBuilder()
            .withNewMetadata()
            .withNamespace("here")
            .withName("admin")
            .endMetadata()
            .build();
    String path = "/apis/rbac.authorization.k8s.io/v1/clusterroles/admin";
    server.answer("PATCH " + path, "{\"kind\":\"ClusterRole\",\"metadata\":{\"name\":\"admin\"}}");
    client.withFieldOwner("me").apply(role);
    assertThat(server.lines()).contains("PATCH " + path);
  }
}
