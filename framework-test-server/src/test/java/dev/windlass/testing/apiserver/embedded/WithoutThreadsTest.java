// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server without threads, which nobody closes. */
final class WithoutThreadsTest {

  private final EmbeddedApiServer server = EmbeddedApiServer.builder().withoutThreads().start();
  private final KubernetesClient client = server.newClient();

  private static ConfigMap map(String name) {
    return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  @Test
  void deliversEventsOnTheThreadOfTheRequest() {
    StringBuilder events = new StringBuilder();
    List<Thread> threads = new ArrayList<>();
    HttpClient http = client.getHttpClient();
    var watch = "http://in-memory/api/v1/namespaces/default/configmaps?watch=true";
    http.consumeBytes(
            http.newHttpRequestBuilder().uri(watch).build(),
            (buffers, body) -> {
              buffers.forEach(
                  bytes -> events.append(StandardCharsets.UTF_8.decode(bytes).toString()));
              threads.add(Thread.currentThread());
              body.consume();
            })
        .join()
        .body()
        .consume();
    client.resource(map("a")).create();
    client.resource(map("a")).delete();
    assertThat(events.toString().lines())
        .satisfiesExactly(
            created -> assertThat(created).contains("ADDED"),
            deleted -> assertThat(deleted).contains("DELETED"));
    assertThat(threads).containsOnly(Thread.currentThread());
  }

  @Test
  void collectsGarbageBeforeTheDeletionReturns() {
    ConfigMap owner = client.resource(map("owner")).create();
    ConfigMap owned = map("owned");
    owned
        .getMetadata()
        .getOwnerReferences()
        .add(
            new OwnerReferenceBuilder()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName("owner")
                .withUid(owner.getMetadata().getUid())
                .build());
    client.resource(owned).create();
    assertThat(client.configMaps().withName("owned").get()).isNotNull();
    client.resource(owner).delete();
    assertThat(client.configMaps().withName("owned").get()).isNull();
  }

  /** The request of the action passes the same faults; one call affects one request. */
  @Test
  void runsAnActionBeforeTheNextRequest() {
    client.resource(map("a")).create();
    server.beforeNext(
        RequestMatcher.of(Verb.DELETE, ConfigMap.class), () -> client.resource(map("a")).delete());
    server.fail(RequestMatcher.of(Verb.DELETE, ConfigMap.class), 503, 1);
    assertThatThrownBy(() -> client.resource(map("a")).delete())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("failure injected by the test");
    assertThat(client.resource(map("a")).delete()).isNotEmpty();
  }
}
