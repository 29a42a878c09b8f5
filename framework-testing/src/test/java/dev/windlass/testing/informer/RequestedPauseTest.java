// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.informer;

import static dev.windlass.testing.informer.Line.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How soon an informer is back after an outage, when the server says itself when it is ready. */
final class RequestedPauseTest {

  private static final int FAILURES = 3;

  /**
   * Three failures let the back-off grow to 3.2 s; a 429 with {@code Retry-After: 1} is repeated
   * after 1 to 1.6 s all the same, and not after 6.4 s and more.
   */
  @Test
  void comesBackAfterThePauseThatTheServerAsksFor() throws Exception {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      List<Long> asked = new CopyOnWriteArrayList<>();
      server.fail(
          request -> request.resource().equals("configmaps") && asked.add(System.nanoTime()),
          500,
          FAILURES);
      server.fail(
          request -> request.resource().equals("configmaps") && asked.add(System.nanoTime()),
          429,
          2);
      Config config = server.clientConfig();
      config.setRequestRetryBackoffLimit(0);
      try (KubernetesClient client = new KubernetesClientBuilder().withConfig(config).build()) {
        SharedInformerFactory informers =
            new SharedInformerFactory(
                (type, scope) -> new Line.Paged(ListerWatcher.http(client, type, scope)),
                WatchScope.ALL,
                InformerOptions.defaults());
        SharedIndexInformer<ConfigMap> maps = informers.informer(InformerSpec.of(ConfigMap.class));
        informers.start();
        eventually().until(maps::hasSynced);
        long synced = System.nanoTime();
        assertThat(informers.shutDown(Duration.ofSeconds(10))).isTrue();
        assertThat(asked).hasSize(FAILURES + 2);
        assertThat(Duration.ofNanos(asked.get(FAILURES + 1) - asked.get(FAILURES)))
            .as("from the first 429 to the next request")
            .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
        assertThat(Duration.ofNanos(synced - asked.get(FAILURES + 1)))
            .as("from the second 429 to the list")
            .isBetween(Duration.ofSeconds(1), Duration.ofSeconds(5));
      }
    }
  }
}
