// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.TooManyRequestsException;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.fault.ApiFault;
import dev.windlass.testing.fault.FaultProxy;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Faults at chosen requests and events, in front of either server. */
abstract class FaultProxyContract {

  private TestApiServer server;
  private KubernetesClient kubectl;
  private Manager manager;
  private FaultProxy faults;

  @BeforeEach
  void connect() {
    faults = FaultProxy.to(server);
    manager = Manager.builder().config(faults.clientConfig()).checkPermissions(false).build();
  }

  @AfterEach
  void close() {
    manager.close();
    faults.close();
  }

  private ConfigMap map(String name) {
    return Samples.map(kubectl.getNamespace(), name);
  }

  private static RequestMatcher maps(Verb verb) {
    return RequestMatcher.of(verb, "configmaps");
  }

  @Test
  void losesTheResponseToTheSecondWrite() {
    faults.inject(maps(Verb.CREATE), 1, 1, ApiFault.loseResponse());
    Client client = manager.client();
    client.create(map("first"));
    assertThatThrownBy(() -> client.create(map("second")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("it is unknown whether the server has done it");
    assertThat(kubectl.configMaps().withName("second").get()).isNotNull();
    assertThat(faults.injected()).containsExactly("CREATE configmaps : loses the response");

    faults.inject(maps(Verb.CREATE), ApiFault.loseRequest());
    assertThatThrownBy(() -> client.create(map("third"))).isInstanceOf(ApiException.class);
    assertThat(kubectl.configMaps().withName("third").get()).isNull();
    client.create(map("third"));
  }

  @Test
  void respondsInPlaceOfTheServer() {
    Client client = manager.client();
    faults.inject(maps(Verb.CREATE), ApiFault.tooManyRequests(Duration.ofSeconds(7)));
    assertThatThrownBy(() -> client.create(map("a")))
        .isInstanceOfSatisfying(
            TooManyRequestsException.class,
            refused -> assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
    faults.inject(maps(Verb.CREATE), ApiFault.html(502));
    assertThatThrownBy(() -> client.create(map("a")))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("(HTTP 502)");
    faults.inject(maps(Verb.CREATE), ApiFault.repeat());
    assertThatThrownBy(() -> client.create(map("a"))).hasMessageContaining("already exists");
  }

  private void assertSees(String name) {
    Client client = manager.client();
    ObjectKey key = ObjectKey.of(kubectl.getNamespace(), name);
    eventually().until(() -> client.get(ConfigMap.class, key).isPresent());
  }

  @Test
  void aCacheSurvivesWatchesThatBreak() {
    manager.cache(ConfigMap.class);
    manager.start();
    eventually().until(() -> manager.informers().informers().get(0).hasSynced());
    int number = 0;
    for (ApiFault fault :
        List.of(
            ApiFault.cutInEvent(),
            ApiFault.repeatEvent(),
            ApiFault.delayEvent(Duration.ofMillis(50)))) {
      faults.inject(maps(Verb.WATCH), fault);
      String name = "m" + number++;
      kubectl.resource(map(name)).create();
      var informer = manager.informers().informers().get(0);
      ObjectKey key = ObjectKey.of(kubectl.getNamespace(), name);
      eventually().until(() -> informer.indexer().get(key).isPresent());
    }
    assertThat(faults.injected()).hasSize(3);
    assertSees("m0");
  }

  @Test
  void aDroppedEventIsLost() {
    manager.cache(ConfigMap.class);
    manager.start();
    eventually().until(() -> manager.informers().informers().get(0).hasSynced());
    faults.inject(maps(Verb.WATCH), ApiFault.dropEvent());
    ConfigMap lost = kubectl.resource(map("lost")).create();
    kubectl.resource(map("next")).create();
    var cache = manager.informers().informers().get(0).indexer();
    ObjectKey next = ObjectKey.of(kubectl.getNamespace(), "next");
    eventually().until(() -> cache.get(next).isPresent());
    assertThat(cache.get(ObjectKey.of(lost))).isEmpty();
  }

  @Test
  void disturbsAtRandomUntilItIsHealed() {
    faults.injectRandomly(7, 0.5, request -> request.verb().isWrite(), ApiFault.status(503));
    Client client = manager.client();
    int failed = 0;
    for (int i = 0; i < 40; i++) {
      ConfigMap map = map("r" + i);
      map.setData(Map.of("i", "" + i));
      try {
        client.create(map);
      } catch (ApiException e) {
        failed++;
      }
    }
    assertThat(failed).isBetween(5, 35).isEqualTo(faults.injected().size());
    faults.heal();
    client.create(map("healed"));
  }
}
