// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** What becomes of a creation that was done and whose answer was lost, on each server. */
abstract class LostAnswerContract {

  abstract TestApiServer server();

  /** Through a proxy, without patience. */
  private static KubernetesClient client(Config config, TcpProxy proxy) {
    config.setMasterUrl(
        URI.create(config.getMasterUrl()).getScheme() + "://127.0.0.1:" + proxy.port());
    config.setRequestTimeout(3_000); // a loaded server must receive the request within this time
    config.setRequestRetryBackoffLimit(0);
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** The cache is stale afterwards, too (docs/reliability.md, A13). */
  @Test
  void makesNoDuplicateWhenTheAnswerToACreationIsLost() {
    Config config = server().clientConfig();
    try (OwnedFixture on = new OwnedFixture(server());
        TcpProxy proxy = TcpProxy.to(URI.create(config.getMasterUrl()).getPort());
        KubernetesClient far = client(config, proxy);
        Manager manager = Manager.builder().client(far).build()) {
      Eventually.that(
          () -> {
            proxy.heal();
            assertThatThrownBy(() -> createWithoutAnswer(manager.client(), on, proxy))
                .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isZero());
            assertThat(on.client.get(ConfigMap.class, ObjectKey.of(on.configMap("child"))))
                .as("a new connection has no handshake without answers, and creates nothing")
                .isPresent();
          });
      Operation<ConfigMap> again =
          CreateOrUpdate.createOrUpdate(
              on.behind(),
              on.configMap("child"),
              child -> OwnerReferences.setController(child, on.owner));
      assertThat(again.result()).isEqualTo(Operation.Result.NONE);
      assertThat(on.client.list(ConfigMap.class, on.namespace))
          .filteredOn(map -> map.getMetadata().getName().equals("child"))
          .hasSize(1);
    }
  }

  private static void createWithoutAnswer(Client client, OwnedFixture on, TcpProxy proxy) {
    CreateOrUpdate.createOrUpdate(
        client,
        on.configMap("child"),
        child -> {
          OwnerReferences.setController(child, on.owner);
          proxy.dropAnswers();
        });
  }
}
