// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.informer;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.object.ObjectCodec;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How soon an informer is back after its server was killed, without anything between them. */
final class RecoveryIT {

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  /**
   * Retries stay frequent, because nothing listens while the server is away (docs/reliability.md,
   * A1).
   */
  @Test
  void seesANewObjectSoonAfterTheServerIsBack() throws Exception {
    RealApiServer server = kubernetes.server();
    ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
    try (KubernetesClient client = server.newClient();
        ConfigMaps maps = new ConfigMaps(server, "default")) {
      SharedIndexInformer<ConfigMap> informer =
          new SharedIndexInformer<>(
              codec,
              new HttpListerWatcher(client, codec.type(), WatchScope.ALL),
              InformerOptions.defaults());
      informer.start();
      try {
        eventually().until(informer::hasSynced);
        server.killApiServer();
        eventually()
            .pollDelay(Duration.ofSeconds(20)) // a back-off that grew would be at 13 to 26 s
            .atMost(Duration.ofSeconds(60))
            .until(() -> informer.problem().isPresent());
        server.startApiServer();
        eventually().ignoreExceptions().until(() -> maps.create("after") != null);
        long created = System.nanoTime();
        eventually()
            .until(
                () ->
                    informer.indexer().keys().stream().anyMatch(key -> key.name().equals("after")));
        Duration took = Duration.ofNanos(System.nanoTime() - created);
        assertThat(took)
            .as("3 s at most, and the load of the machine")
            .isLessThan(Duration.ofSeconds(6));
        assertThat(informer.status().lists()).containsOnlyKeys(ListReason.START);
      } finally {
        assertThat(informer.stop(Duration.ofSeconds(20))).isTrue();
      }
    }
  }
}
