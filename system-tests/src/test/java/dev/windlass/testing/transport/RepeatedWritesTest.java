// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.windlass.client.http.SocketTransport;
import dev.windlass.client.transport.HookedClients;
import dev.windlass.client.transport.RequestListener;
import dev.windlass.client.transport.WriteHook;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.leader.fencing.FencedClients;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.tls.RenewedCredentials;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A leader's write that the server rejects with 401, on each transport. */
@Timeout(60)
final class RepeatedWritesTest {

  private final List<String> tokens = new CopyOnWriteArrayList<>();
  private final Term term = new Term();
  private HttpServer server;

  /** A term that ends when the test says so. */
  private static final class Term implements Fence {
    private volatile boolean over;

    @Override
    public boolean holds() {
      return !over;
    }

    @Override
    public Duration check() {
      if (over) {
        throw new LeadershipLostException("the term is over");
      }
      return Duration.ofSeconds(20);
    }
  }

  /** Those of a plugin that takes long: the term may end meanwhile. */
  private static final class Plugin implements RenewedCredentials {
    private final Runnable whileItRuns;
    private volatile String token = "old";

    Plugin(Runnable whileItRuns) {
      this.whileItRuns = whileItRuns;
    }

    @Override
    public String getToken() {
      return token;
    }

    @Override
    public Optional<ClientCertificate> certificate() {
      return Optional.empty();
    }

    @Override
    public Optional<String> refused(String rejected) {
      whileItRuns.run();
      token = "new";
      return Optional.of(token);
    }
  }

  static Stream<HttpClient.Factory> transports() {
    return Stream.of(
        new SocketTransport(Scheduler.system()),
        new VertxHttpClientFactory(),
        new JdkHttpClientFactory(),
        new OkHttpClientFactory());
  }

  @BeforeEach
  void starts() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            tokens.add(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(401, -1);
          }
        });
    server.start();
  }

  @AfterEach
  void stops() {
    server.stop(0);
  }

  private void write(HttpClient.Factory transport, Runnable whileThePluginRuns) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort() + "/")
            .withHttp2Disable(true)
            .withOauthTokenProvider(new Plugin(whileThePluginRuns))
            .build();
    try (KubernetesClient base =
            HookedClients.of(
                config, WriteHook.NONE, RequestListener.NONE, transport, Scheduler.system());
        KubernetesClient fenced = FencedClients.of(base, term, Thread::new)) {
      fenced
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("a")
                  .endMetadata()
                  .build())
          .create();
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void areNotSentAfterTheTerm(HttpClient.Factory transport) {
    assertThatThrownBy(() -> write(transport, () -> term.over = true))
        .hasStackTraceContaining("the term is over");
    assertThat(tokens).containsExactly("Bearer old");
  }

  @ParameterizedTest
  @MethodSource("transports")
  void areSentOnceInTheTerm(HttpClient.Factory transport) {
    assertThatThrownBy(() -> write(transport, () -> {}))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("Unauthorized");
    assertThat(tokens).containsExactly("Bearer old", "Bearer new");
  }
}
