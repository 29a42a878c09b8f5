// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.WriterContext;
import dev.windlass.client.http.SocketTransport;
import dev.windlass.client.transport.HookedClients;
import dev.windlass.client.transport.RequestListener;
import dev.windlass.client.transport.WriteHook;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testing.core.Http;
import dev.windlass.tls.RenewedCredentials;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Fenced clients on real transports: what they take from their base, and what they repeat. */
@Timeout(60)
final class FencedClientsTest {

  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @TempDir private Path folder = Path.of("unset");
  @AutoClose private final Http server = new Http();
  private final TestFence fence = new TestFence();
  private final List<String> hooked = new CopyOnWriteArrayList<>();
  private Runnable whileThePluginRuns = () -> {};

  /** Those of a plugin that has another token after each rejection. */
  private final class Renewed implements RenewedCredentials {
    private int tokens = 1;

    @Override
    public String getToken() {
      return "token-" + tokens;
    }

    @Override
    public Optional<ClientCertificate> certificate() {
      return Optional.empty();
    }

    @Override
    public Optional<String> refused(String token) {
      whileThePluginRuns.run();
      tokens++;
      return Optional.of(getToken());
    }
  }

  /** The framework's transport, and fabric8's on the class path. */
  static Stream<HttpClient.Factory> transports() {
    return Stream.of(
        new SocketTransport(Scheduler.system()), HttpClientUtils.getHttpClientFactory());
  }

  private KubernetesClient base(HttpClient.Factory transport) {
    Config config =
        new ConfigBuilder(server.config()).withOauthTokenProvider(new Renewed()).build();
    WriteHook hook =
        write ->
            new WriteHook.Sent() {
              @Override
              public void ended(int code, byte[] body) {
                hooked.add("ended " + code);
              }

              @Override
              public void refused() {
                hooked.add("refused");
              }
            };
    return HookedClients.of(config, hook, RequestListener.NONE, transport, Scheduler.system());
  }

  private static CompletableFuture<HttpResponse<byte[]>> post(KubernetesClient client) {
    HttpClient http = client.getHttpClient();
    return http.sendAsync(
        http.newHttpRequestBuilder()
            .uri(client.getConfiguration().getMasterUrl() + MAPS.substring(1))
            .post("application/json", "{}")
            .build(),
        byte[].class);
  }

  /** A plugin can run for a minute, and the lease can be lost meanwhile. */
  @ParameterizedTest
  @MethodSource("transports")
  void repeatNoWriteBehindAFenceThatHasClosed(HttpClient.Factory transport) {
    server.fail("POST " + MAPS, 401);
    whileThePluginRuns = fence::close;
    try (KubernetesClient base = base(transport);
        KubernetesClient fenced = FencedClients.of(base, fence, Thread::new)) {
      assertThatThrownBy(() -> post(fenced).join())
          .hasCauseInstanceOf(LeadershipLostException.class);
    }
    assertThat(server.lines()).hasSize(1);
    assertThat(fence.underWay).isEmpty();
    assertThat(hooked).as("it is known to have no effect").containsExactly("refused", "refused");
  }

  /** The second request is sent by a thread of the transport, which is in no reconcile. */
  @ParameterizedTest
  @MethodSource("transports")
  void checkTheFenceOfTheReconcileThatWrites(HttpClient.Factory transport) {
    server.fail("POST " + MAPS, 401);
    whileThePluginRuns = fence::close;
    try (KubernetesClient base = base(transport);
        KubernetesClient fenced =
            FencedClients.of(base, WriterContext.fenceOr(() -> Fence.OPEN), Thread::new)) {
      WriterContext reconcile = new WriterContext("foo", fence);
      assertThatThrownBy(() -> reconcile.get(() -> post(fenced)).join())
          .hasCauseInstanceOf(LeadershipLostException.class);
    }
    assertThat(server.lines()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("transports")
  void repeatNoWriteWhoseCallerHasGivenUp(HttpClient.Factory transport) throws Exception {
    server.fail("POST " + MAPS, 401);
    CompletableFuture<CompletableFuture<?>> sent = new CompletableFuture<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    server.beforeAnswers(sent::join); // or the plugin may run on this thread, within the call
    whileThePluginRuns = () -> over.complete(sent.thenAccept(post -> post.cancel(true)).join());
    try (KubernetesClient base = base(transport);
        KubernetesClient fenced = FencedClients.of(base, fence, Thread::new)) {
      sent.complete(post(fenced));
      over.join();
      while (!fence.underWay.isEmpty()) {
        Thread.onSpinWait();
      }
    }
    assertThat(server.lines()).hasSize(1);
  }

  /** As in a cluster whose token has just been replaced. */
  @ParameterizedTest
  @MethodSource("transports")
  void repeatAWriteOnceWithTheNextToken(HttpClient.Factory transport) {
    server.failWith("POST " + MAPS, 401, "no");
    whileThePluginRuns = () -> server.failWith("POST " + MAPS, 401, "no again");
    try (KubernetesClient base = base(transport);
        KubernetesClient fenced = FencedClients.of(base, fence, Thread::new)) {
      HttpResponse<byte[]> answer = post(fenced).join();
      assertThat(answer.code()).isEqualTo(401);
      assertThat(new String(answer.body(), StandardCharsets.UTF_8)).isEqualTo("no again");
    }
    assertThat(server.lines()).hasSize(2);
    assertThat(hooked).containsExactly("refused", "ended 401");
    assertThat(fence.underWay).isEmpty();
  }

  /** fabric8 would do so on a thread of its timer, without the fence of the reconcile. */
  @ParameterizedTest
  @MethodSource("transports")
  void retryNoWriteEvenIfTheyAreToldTo(HttpClient.Factory transport) {
    server.fail("POST " + MAPS, 503);
    RequestConfig retries =
        new RequestConfigBuilder()
            .withRequestRetryBackoffLimit(1)
            .withRequestRetryBackoffInterval(1)
            .build();
    try (KubernetesClient base = base(transport);
        KubernetesClient fenced = FencedClients.of(base, fence, Thread::new)) {
      KubernetesClient retrying = fenced.newClient(retries).adapt(KubernetesClient.class);
      assertThat(post(retrying).join().code()).isEqualTo(503);
    }
    assertThat(server.lines()).hasSize(1);
  }

  /** The base has loaded the certificates, which takes long. */
  @Test
  void doNotReadTheCertificatesAgain() {
    var config = new ConfigBuilder().withMasterUrl("https://example.com:6443").build();
    try (KubernetesClient base = new KubernetesClientBuilder().withConfig(config).build()) {
      base.getConfiguration().setCaCertFile(folder.resolve("absent").toString());
      try (KubernetesClient fenced = FencedClients.of(base, Fence.OPEN, Thread::new)) {
        assertThat(fenced.getMasterUrl()).isEqualTo(base.getMasterUrl());
      }
    }
  }
}
