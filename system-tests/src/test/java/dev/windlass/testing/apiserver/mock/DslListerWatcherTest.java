// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.mock;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.object.ObjectCodec;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How an informer keeps up with fabric8's mock server, which never ends a watch. */
final class DslListerWatcherTest {

  private final ManualScheduler time = new ManualScheduler();
  private final MockApiServer server = MockApiServer.start();
  private final KubernetesClient client = server.newClient();
  private final ObjectCodec<ConfigMap> codec = ObjectCodec.of(ConfigMap.class);
  private final SharedIndexInformer<ConfigMap> informer =
      new SharedIndexInformer<>(
          codec,
          MockApiServer.connector(client).connect(codec.type(), WatchScope.ALL),
          InformerOptions.defaults().withScheduler(time));

  @BeforeEach
  void starts() {
    informer.start();
    eventually().until(informer::hasSynced);
  }

  @AfterEach
  void stops() throws InterruptedException {
    assertThat(informer.stop(Duration.ofSeconds(20))).isTrue();
    client.close();
    server.close();
  }

  private void create(String name) {
    ConfigMap map = Samples.map("default", name);
    client.resource(map).create();
  }

  private List<String> names() {
    return informer.indexer().keys().stream().map(key -> key.name()).sorted().toList();
  }

  @Test
  void keepsToTheLabelsOfItsScope() throws InterruptedException {
    var scope = WatchScope.ALL.withLabels("app=wanted");
    var selective =
        new SharedIndexInformer<>(
            codec,
            MockApiServer.connector(client).connect(codec.type(), scope),
            InformerOptions.defaults().withScheduler(time));
    create("without");
    try {
      selective.start();
      eventually().until(selective::hasSynced);
      create("also-without");
      eventually().untilAsserted(() -> assertThat(names()).hasSize(2));
      assertThat(selective.indexer().size()).isZero();
    } finally {
      assertThat(selective.stop(Duration.ofSeconds(20))).isTrue();
    }
  }

  /**
   * A watch that is given up can't be resumed here; a list must follow. Nobody writes until then:
   * the mock server hangs if it sends an event to a watch that is just being closed.
   */
  @Test
  void receivesChangesAfterTheWatchWasAbandoned() {
    create("before");
    eventually().untilAsserted(() -> assertThat(names()).containsExactly("before"));

    time.advance(Duration.ofSeconds(60));
    eventually()
        .untilAsserted(
            () -> {
              time.advance(Duration.ofMillis(100));
              assertThat(informer.status().relists()).isPositive();
              assertThat(informer.status().watchAge()).isPresent();
            });
    create("after");

    eventually().untilAsserted(() -> assertThat(names()).containsExactly("after", "before"));
  }
}
