// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.quarkus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.health.HealthCheck.Kind;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import jakarta.enterprise.event.Shutdown;
import jakarta.enterprise.event.Startup;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The calls that Quarkus would make. No container of Quarkus runs. */
@Timeout(60)
final class OperatorBeanTest {

  private static boolean isReady(Manager manager) throws InterruptedException {
    return manager.endpoints().check(Kind.READY).values().stream().allMatch(Optional::isEmpty);
  }

  @Test
  void startsAndStopsTheManager() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient client = server.newClient()) {
      OperatorBean bean = new OperatorBean();
      Manager manager = bean.manager(client);
      bean.start(new Startup(), manager);
      await().until(() -> isReady(manager));
      bean.stop(new Shutdown(), manager);
      assertThat(manager.isStopping()).isTrue();
    }
  }
}
