// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.owned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.Client;
import dev.windlass.client.owned.CreateOrUpdate;
import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.OperationResult;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.fault.TcpProxy;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** To run it alone, name its nested classes, too: {@code -Dtest=ObjectHelpersOnEmbeddedTest*}. */
@Timeout(60)
final class ObjectHelpersOnEmbeddedTest {

  private static EmbeddedApiServer server;

  @BeforeAll
  static void startsTheServer() {
    server = EmbeddedApiServer.start();
  }

  @AfterAll
  static void stopsTheServer() {
    server.close();
  }

  /** A13: the network loses the answer to the creation, and the cache is behind afterwards. */
  @Test
  void makesNoDuplicateWhenTheAnswerToACreationIsLost() {
    Config config = server.clientConfig();
    try (OwnedFixture on = new OwnedFixture(server);
        TcpProxy proxy = TcpProxy.to(URI.create(config.getMasterUrl()).getPort())) {
      config.setMasterUrl("http://127.0.0.1:" + proxy.port());
      config.setRequestTimeout(500);
      config.setRequestRetryBackoffLimit(0);
      try (KubernetesClient far = new KubernetesClientBuilder().withConfig(config).build()) {
        Client client = Manager.builder().client(far).build().client();
        assertThatThrownBy(
                () ->
                    CreateOrUpdate.createOrUpdate(
                        client,
                        on.configMap("child"),
                        child -> {
                          OwnerReferences.setController(child, on.owner);
                          proxy.dropAnswers();
                        }))
            .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.getCode()).isZero());
      }
      Operation<ConfigMap> again =
          CreateOrUpdate.createOrUpdate(
              on.behind(),
              on.configMap("child"),
              child -> OwnerReferences.setController(child, on.owner));
      assertThat(again.result()).isEqualTo(OperationResult.NONE);
      assertThat(on.client.list(ConfigMap.class, on.namespace)).hasSize(1);
    }
  }

  @Nested
  final class CreateOrUpdateTest extends CreateOrUpdateContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class FinalizersTest extends FinalizersContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class PruneTest extends PruneContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }
}
