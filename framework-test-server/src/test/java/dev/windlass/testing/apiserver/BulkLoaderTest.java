// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class BulkLoaderTest {

  private static final String CONFIG_MAPS = "api/v1/namespaces/default/configmaps";

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  @AutoClose private final KubernetesClient client = server.newClient();

  private static String configMap(int index) {
    return "{\"metadata\":{\"name\":\"m-%d\"}}".formatted(index);
  }

  @Test
  void createsAnObjectForEachIndex() throws InterruptedException {
    BulkLoad load =
        BulkLoader.with(client).inFlight(8).create(CONFIG_MAPS, 100, BulkLoaderTest::configMap);

    assertThat(client.configMaps().inNamespace("default").list().getItems())
        .hasSize(100)
        .anyMatch(m -> m.getMetadata().getName().equals("m-0"))
        .anyMatch(m -> m.getMetadata().getName().equals("m-99"));
    assertThat(load.count()).isEqualTo(100);
    assertThat(load.perSecond()).isPositive();
  }

  @Test
  void stopsAtTheFirstRefusalAndSaysWhy() {
    server.fail(RequestMatcher.of(Verb.CREATE, "configmaps"), 403, 1);

    assertThatThrownBy(
            () ->
                BulkLoader.with(client)
                    .inFlight(1)
                    .create(CONFIG_MAPS, 100, BulkLoaderTest::configMap))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("create 1 of 100 at api/v1/namespaces/default/configmaps")
        .hasMessageContaining("failed with HTTP 403");

    assertThat(client.configMaps().inNamespace("default").list().getItems())
        .hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void passesOnWhatTheTemplateThrows() {
    assertThatThrownBy(
            () ->
                BulkLoader.with(client)
                    .create(
                        CONFIG_MAPS,
                        100,
                        index -> {
                          if (index == 3) {
                            throw new IllegalArgumentException("no such index");
                          }
                          return configMap(index);
                        }))
        .hasMessage("no such index");
  }

  @Test
  void createsNothingWhenAskedForNothing() throws InterruptedException {
    BulkLoad load = BulkLoader.with(client).create(CONFIG_MAPS, 0, BulkLoaderTest::configMap);

    assertThat(load.perSecond()).isZero();
  }

  @Test
  void tellsItsRate() {
    assertThat(new BulkLoad(100_000, Duration.ofSeconds(40)))
        .hasToString("100000 objects in 40.0 s, 2500 a second");
  }
}
