// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import dev.windlass.testing.core.Scraped;
import dev.windlass.testsupport.Eventually;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RequestMetricsTest {

  private static final String MAPS = "/api/v1/namespaces/here/configmaps";
  private static final String MAP =
      "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"here\",\"name\":\"a\"}}";

  private final ManualScheduler time = new ManualScheduler();
  @AutoClose private final Http server = new Http();
  private final MeterRegistry registry = DefaultRegistries.create(true);
  private final String host = URI.create(server.config().getMasterUrl()).getAuthority();

  private KubernetesClient client(Config config, boolean histograms) {
    RequestListener requests =
        ManagerMetrics.on(registry, ObservationRegistry.NOOP, histograms, time)
            .cluster("main", config.getMasterUrl())
            .requests();
    return Clients.hooked(config, WriteHook.NONE, requests);
  }

  private static ConfigMap map() {
    return Samples.configMap("here", "a");
  }

  private double total(String code, String method) {
    return Scraped.value(
        registry,
        "rest_client_requests_total{code=\"%s\",host=\"%s\",method=\"%s\"}"
            .formatted(code, host, method));
  }

  private void eventually(String code, String method, double total) {
    Eventually.that(() -> assertThat(total(code, method)).isEqualTo(total));
  }

  @Test
  void countsReadsAndWritesByWhatTheServerAnswered() {
    server.answer("GET " + MAPS + "/a", MAP);
    server.answer("PUT " + MAPS + "/a", MAP);
    server.fail("POST " + MAPS, 409);
    try (KubernetesClient client = client(server.config(), false)) {
      client.configMaps().inNamespace("here").withName("a").get();
      client.configMaps().inNamespace("here").withName("a").get();
      client.configMaps().inNamespace("here").withName("b").get();
      client.raw(MAPS + "/a", "PUT", MAP);
      assertThatThrownBy(() -> client.resource(map()).create())
          .isInstanceOf(KubernetesClientException.class);
    }
    eventually("200", "GET", 2);
    eventually("404", "GET", 1);
    eventually("200", "PUT", 1);
    eventually("409", "POST", 1);
    assertThat(Scraped.lines(registry)).noneMatch(line -> line.contains("_seconds"));
  }

  @Test
  void showsWhatHasNotHappenedYetAsZero() {
    client(server.config(), false).close();
    assertThat(total("200", "GET")).isZero();
    assertThat(total("201", "POST")).isZero();
    assertThat(total("<error>", "DELETE")).isZero();
  }

  @Test
  void countsARequestWithoutAnAnswerAsAnError() {
    Config nowhere =
        new ConfigBuilder(server.config()).withMasterUrl(server.config().getMasterUrl()).build();
    server.close();
    try (KubernetesClient client = client(nowhere, false)) {
      assertThatThrownBy(() -> client.configMaps().inNamespace("here").withName("a").get())
          .isInstanceOf(KubernetesClientException.class);
    }
    eventually("<error>", "GET", 1);
  }

  @Test
  void timesAndWeighsRequestsIfAsked() {
    server.answer("PUT " + MAPS + "/a", MAP);
    try (KubernetesClient client = client(server.config(), true)) {
      client.raw(MAPS + "/a", "PUT", MAP);
    }
    eventually("200", "PUT", 1);
    String labels = "{host=\"" + host + "\",verb=\"PUT\"}";
    assertThat(Scraped.value(registry, "rest_client_request_duration_seconds_count" + labels))
        .isEqualTo(1);
    assertThat(Scraped.value(registry, "rest_client_response_size_bytes_sum" + labels))
        .isEqualTo(MAP.length());
    assertThat(Scraped.value(registry, "rest_client_request_size_bytes_sum" + labels))
        .isEqualTo(server.asked().get(0).body().length());
  }

  /** A watch lasts as long as it lasts. */
  @Test
  void timesNoWatch() {
    RequestMetrics metrics = new RequestMetrics(new Meters(registry), "here", time, true);
    for (String query : new String[] {"watch=true&timeoutSeconds=25", "limit=500"}) {
      RequestListener.Answered answered = metrics.sending(request("GET", MAPS + "?" + query));
      time.advance(Duration.ofSeconds(3));
      answered.answered(200, -1);
    }
    String labels = "{host=\"here\",verb=\"GET\"}";
    assertThat(Scraped.value(registry, "rest_client_request_duration_seconds_sum" + labels))
        .isEqualTo(3.0);
    assertThat(
            Scraped.value(
                registry, "rest_client_requests_total{code=\"200\",host=\"here\",method=\"GET\"}"))
        .isEqualTo(2);
  }

  private static HttpRequest request(String method, String uri) {
    return new StandardHttpRequest.Builder()
        .uri(URI.create("http://here" + uri))
        .method(method, null, null)
        .build();
  }

  /** Bad input 37: a million different requests, answers and methods. */
  @Test
  void keepsTheNumberOfSeriesWhateverIsAskedAndAnswered() {
    RequestMetrics metrics = new RequestMetrics(new Meters(registry), "here", time, false);
    int before = registry.getMeters().size();
    for (int i = 0; i < 1_000_000; i++) {
      if (i % 10 == 0) {
        metrics.sending(request("GET", MAPS + "/" + i + "?labelSelector=a%3D" + i));
      }
      metrics.sending(REQUESTS[i % REQUESTS.length]).answered(i % 100_000, i);
    }
    assertThat(registry.getMeters().size()).isLessThan(before + RequestMetrics.MAX_SERIES);
    assertThat(
            Scraped.lines(registry).stream()
                .filter(line -> line.startsWith("rest_client_requests_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf("} ") + 2)))
                .sum())
        .as("none is lost")
        .isEqualTo(1_000_000);
  }

  private static final HttpRequest[] REQUESTS = {
    request("GET", MAPS), request("POST", MAPS), request("M4", MAPS), request("M5", MAPS)
  };

  @Test
  void countsOnForOneClusterWhenAnotherOneAtTheSameHostIsGone() {
    ManagerMetrics manager = ManagerMetrics.on(registry, ObservationRegistry.NOOP, false, time);
    ClusterMetrics first = manager.cluster("main", "https://h:6443/");
    ClusterMetrics second = manager.cluster("other", "https://h:6443/");
    second.close();
    second.close();
    first.requests().sending(REQUESTS[0]).answered(200, 1);
    String series = "rest_client_requests_total{code=\"200\",host=\"h:6443\",method=\"GET\"}";
    assertThat(Scraped.value(registry, series)).isEqualTo(1);
    manager.close();
    assertThat(registry.getMeters()).isEmpty();
  }
}
