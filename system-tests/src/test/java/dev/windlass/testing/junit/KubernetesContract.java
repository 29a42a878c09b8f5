// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is injected into a test, on either server. */
abstract class KubernetesContract {

  private KubernetesClient client;
  private TestApiServer server;

  @BeforeEach
  void injectsIntoMethodsBeforeTheTest(KubernetesClient injected) {
    assertThat(injected).isSameAs(client);
  }

  @Test
  void injectsAClientInItsNamespace(Config config, TestApiServer injected) {
    assertThat(injected).isSameAs(server);
    assertThat(config.getNamespace()).isEqualTo(client.getNamespace());
    assertThat(client.configMaps().withName("leftover").get()).isNull();
    client.resource(Samples.map(client.getNamespace(), "leftover")).create();
  }

  @Test
  void leavesNothingForTheNextTest() {
    assertThat(client.configMaps().withName("leftover").get()).isNull();
    client.resource(Samples.map(client.getNamespace(), "leftover")).create();
  }

  @Test
  void injectsAManager(Manager manager) {
    Set<String> reconciled = ConcurrentHashMap.newKeySet();
    ControllerBuilder.forType(ConfigMap.class)
        .reconciler(
            (request, context) -> {
              reconciled.add(request.name());
              return Result.done();
            })
        .register(manager);
    manager.start();
    client.resource(Samples.map(client.getNamespace(), "seen")).create();
    eventually().until(() -> reconciled.contains("seen"));
  }
}
