// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import static dev.windlass.testing.apiserver.embedded.probes.HttpProbe.CONFIG_MAPS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.ServerCapabilities;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.probes.WatchProbe;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class EmbeddedApiServerTest {
  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final HttpProbe http = new HttpProbe(server);

  @Test
  void answersDiscoveryAndHealth() {
    assertThat(http.get("/version").at("/gitVersion")).startsWith("v1.34");
    assertThat(http.get("/api").at("/versions/0")).isEqualTo("v1");
    assertThat(http.get("/apis").json().path("groups").findValuesAsText("name"))
        .contains("apps", "batch", "coordination.k8s.io", "apiextensions.k8s.io");
    assertThat(http.get("/apis/apps").at("/preferredVersion/groupVersion")).isEqualTo("apps/v1");
    JsonNode core = http.get("/api/v1").json();
    assertThat(core.path("resources").findValuesAsText("name"))
        .contains("namespaces", "configmaps", "pods", "pods/status", "events");
    for (String path : List.of("/healthz", "/livez", "/readyz")) {
      assertThat(http.get(path).text()).isEqualTo("ok");
    }
  }

  @Test
  void tellsKubectlThatItValidatesFields() {
    assertThat(http.get("/openapi/v3").at("/paths/apis~1apps~1v1/serverRelativeURL"))
        .isEqualTo("/openapi/v3/apis/apps/v1");
    JsonNode paths = http.get("/openapi/v3/apis/apps/v1").json().path("paths");
    JsonNode patch =
        paths.path("/apis/apps/v1/namespaces/{namespace}/deployments/{name}").path("patch");
    assertThat(patch.at("/parameters/0/name").asText()).isEqualTo("fieldValidation");
    assertThat(patch.at("/x-kubernetes-group-version-kind/kind").asText()).isEqualTo("Deployment");
  }

  @Test
  void answersWithoutTheDelayOfNagle() {
    // With the delay each answer takes at least 40 ms.
    assertTimeout(
        Duration.ofSeconds(3),
        () -> {
          for (int i = 0; i < 100; i++) {
            http.get("/api/v1/namespaces/default");
          }
        });
  }

  @Test
  void letsFabric8FallBackFromWebSockets() throws InterruptedException {
    BlockingQueue<String> events = new LinkedBlockingQueue<>();
    try (KubernetesClient client = server.newClient()) {
      var watch =
          client
              .configMaps()
              .inNamespace("default")
              .watch(
                  new Watcher<ConfigMap>() {
                    @Override
                    public void eventReceived(Action action, ConfigMap resource) {
                      // The real server, too, ends the state of a watch from nowhere with one.
                      if (action != Action.BOOKMARK) {
                        events.add(action + " " + resource.getMetadata().getName());
                      }
                    }

                    @Override
                    public void onClose(@Nullable WatcherException cause) {}
                  });
      try (watch) {
        http.configMap("a");
        assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("ADDED a");
        http.delete(CONFIG_MAPS + "/a");
        assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("DELETED a");
      }
    }
  }

  @Test
  void recordsTheRequestsForResources() {
    http.get("/version");
    http.configMap("a");
    http.get(CONFIG_MAPS + "/a");
    http.get("/api/v1/configmaps");
    http.patch(HttpProbe.DEPLOYMENTS + "/web/status", "merge", "{}");

    assertThat(server.requests())
        .containsExactly(
            new RecordedRequest(Verb.CREATE, "configmaps", "default", "", ""),
            new RecordedRequest(Verb.GET, "configmaps", "default", "a", ""),
            new RecordedRequest(Verb.LIST, "configmaps", "", "", ""),
            new RecordedRequest(Verb.PATCH, "deployments.apps", "default", "web", "status"));
    assertThat(server.requests().stream().filter(r -> r.verb().isWrite())).hasSize(2);
    server.clearRequests();
    assertThat(server.requests()).isEmpty();
  }

  @Test
  void forgetsTheOldestRequests() {
    try (EmbeddedApiServer small = EmbeddedApiServer.builder().requestCapacity(2).start()) {
      HttpProbe probe = new HttpProbe(small);
      List.of("a", "b", "c").forEach(name -> probe.get(CONFIG_MAPS + "/" + name));

      assertThat(small.requests()).extracting(RecordedRequest::name).containsExactly("b", "c");
    }
  }

  @Test
  void failsAsOftenAsOrdered() {
    server.fail(RequestMatcher.of(Verb.CREATE, "configmaps"), 503, 2);

    Reply failed = http.configMap("a");
    assertThat(failed.code()).isEqualTo(503);
    assertThat(failed.reason()).isEqualTo("ServiceUnavailable");
    assertThat(http.get(CONFIG_MAPS).code()).as("another verb").isEqualTo(200);
    assertThat(http.configMap("a").code()).isEqualTo(503);
    assertThat(http.configMap("a").code()).isEqualTo(201);

    server.fail(request -> request.namespace().equals("default"), 500, 100);
    assertThat(http.get(CONFIG_MAPS).reason()).isEqualTo("InternalError");
    server.healFaults();
    assertThat(http.get(CONFIG_MAPS).code()).isEqualTo(200);
    assertThatThrownBy(() -> server.fail(request -> true, 200, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void tellsWhatItCanDo() {
    assertThat(server.capabilities())
        .isEqualTo(new ServerCapabilities(true, true, true, true, true));
    assertThat(server.kubeconfig()).contains("server: " + server.url());
  }

  @Test
  void endsItsWatchesAndThreadsWhenClosed() {
    http.configMap("a");
    WatchProbe watch = http.watch(CONFIG_MAPS + "?watch=true");
    assertThat(watch.next()).isEqualTo("ADDED a");

    TestApiServer closing = server;
    closing.close();
    closing.close();

    assertThat(watch.line()).isIn(WatchProbe.CUT, WatchProbe.CLEAN_END);
    assertThat(Thread.getAllStackTraces().keySet())
        .extracting(Thread::getName)
        .noneMatch(name -> name.startsWith("embedded-apiserver"));
    URI uri = URI.create(server.url());
    assertThatThrownBy(() -> connect(uri)).isInstanceOf(IOException.class);
  }

  private static void connect(URI uri) throws IOException {
    new Socket(uri.getHost(), uri.getPort()).close();
  }
}
