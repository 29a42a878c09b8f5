// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.client.ListParams;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two controllers watch one type, with a cache each. While one of the two watches delivers nothing,
 * the controller of the other reads what has started it.
 */
@Timeout(60)
final class SlowerCacheTest {

  private static final String NAMESPACE = "a";
  private static final WatchScope WEB = WatchScope.ALL.withLabels("app=web");

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient kubectl = server.newClient();
  private final LateWatch slower = new LateWatch();
  private final Set<ObjectKey> reconciled = ConcurrentHashMap.newKeySet();
  private Manager manager;

  @BeforeEach
  void starts() {
    kubectl.resource(Samples.namespace(NAMESPACE)).create();
    kubectl.resource(map("old", "web", "1")).create();
    kubectl.resource(map("gone", "web", "1")).create();
    manager =
        Manager.builder()
            .config(server.clientConfig())
            .checkPermissions(false)
            .connector(
                client ->
                    (type, scope) -> {
                      HttpListerWatcher source = new HttpListerWatcher(client, type, scope);
                      return scope.selectsAll() ? slower.over(source) : source;
                    })
            .build();
    ControllerBuilder.forType(InformerSpec.of(ConfigMap.class).in(WEB))
        .reconciler(
            (request, context) -> {
              reconciled.add(request.key());
              return Result.done();
            })
        .register(manager);
    ControllerBuilder.forType(ConfigMap.class)
        .named("all")
        .reconciler((request, context) -> Result.done())
        .register(manager);
    manager.start();
    eventually().until(() -> reconciled.size() == 2 && hasAllCaches());
    slower.late(true);
    reconciled.clear();
  }

  private boolean hasAllCaches() {
    var informers = manager.informers().informers();
    return informers.size() == 2 && informers.stream().allMatch(SharedIndexInformer::hasSynced);
  }

  @AfterEach
  void stops() {
    slower.late(false);
    manager.close();
  }

  private static ConfigMap map(String name, String app, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(NAMESPACE)
        .withName(name)
        .addToLabels("app", app)
        .endMetadata()
        .addToData("value", value)
        .build();
  }

  private static ObjectKey key(String name) {
    return ObjectKey.of(NAMESPACE, name);
  }

  private Optional<String> value(String name) {
    return manager.client().get(ConfigMap.class, key(name)).map(map -> map.getData().get("value"));
  }

  private List<String> values(ListParams options) {
    return manager.client().list(ConfigMap.class, options).stream()
        .map(map -> map.getMetadata().getName() + "=" + map.getData().get("value"))
        .sorted()
        .toList();
  }

  @Test
  void readsTheChangeThatHasStartedTheReconcile() {
    kubectl.resource(map("old", "web", "2")).update();
    kubectl.resource(map("new", "web", "2")).create();
    kubectl.resource(map("gone", "web", "2")).delete();
    eventually().until(() -> reconciled.size() == 3);
    assertThat(value("old")).contains("2");
    assertThat(value("new")).contains("2");
    assertThat(value("gone")).isEmpty();
    ListParams here = ListParams.in(NAMESPACE);
    assertThat(values(here)).containsExactly("new=2", "old=2");
    assertThat(values(here.withLabels("app=web"))).containsExactly("new=2", "old=2");

    slower.late(false);
    eventually().untilAsserted(() -> assertThat(overlaid()).isZero());
    server.clearRequests();
    assertThat(values(here)).containsExactly("new=2", "old=2");
    assertThat(value("gone")).isEmpty();
    assertThat(server.requests())
        .filteredOn(request -> request.resource().equals("configmaps"))
        .filteredOn(request -> Set.of("GET", "LIST").contains(request.verb().name()))
        .isEmpty();
  }

  private int overlaid() {
    return manager.informers().informers().stream()
        .mapToInt(informer -> informer.overlay().waiting())
        .sum();
  }

  /** The label decides in which cache it is. */
  @Test
  void readsAnObjectThatHasLeftTheSelectionOfOneCache() {
    kubectl.resource(map("old", "other", "2")).update();
    eventually().until(() -> reconciled.contains(key("old")));
    assertThat(value("old")).contains("2");
    assertThat(values(ListParams.in(NAMESPACE).withLabels("app=web"))).containsExactly("gone=1");
  }

  /** Its last apply is known, and only the state that it does not show yet differs from it. */
  @Test
  void appliesAgainWhatAnotherHasChanged() {
    Client client = manager.client().withFieldOwner("test");
    slower.late(false);
    ConfigMap wanted = map("old", "web", "mine");
    client.apply(wanted);
    eventually().untilAsserted(() -> assertThat(overlaid()).isZero());
    slower.late(true);
    reconciled.clear();
    kubectl.resource(map("old", "web", "foreign")).update();
    eventually().until(() -> reconciled.contains(key("old")));
    client.apply(map("old", "web", "mine"));
    assertThat(kubectl.configMaps().inNamespace(NAMESPACE).withName("old").get().getData())
        .isEqualTo(Map.of("value", "mine"));
  }
}
