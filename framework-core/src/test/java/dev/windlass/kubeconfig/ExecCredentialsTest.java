// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import dev.windlass.tls.RenewedCredentials;
import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a kubeconfig's plugin prints is used for as long as it says, and no longer. */
final class ExecCredentialsTest {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final ManualScheduler time = new ManualScheduler();
  private final long origin = time.nanoTime();

  private final Clock clock =
      new Clock() {
        @Override
        public Instant instant() {
          return START.plusNanos(time.nanoTime() - origin);
        }

        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }
      };

  @TempDir private Path folder = Path.of("unset");

  /** A plugin beside the kubeconfig that prints a file, and notes each run. */
  private void plugin(String script) throws Exception {
    Path plugin =
        Files.writeString(
            folder.resolve("plugin"),
            "#!/bin/sh\ncd '" + folder + "'\necho run >> runs\n" + script + "\n");
    assertThat(plugin.toFile().setExecutable(true)).isTrue();
  }

  private void answer(String status) throws Exception {
    Files.writeString(
        folder.resolve("answer"),
        "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",\"status\":{"
            + status
            + "}}");
  }

  private static String token(String token, Instant expires) {
    return "\"token\":\"" + token + "\",\"expirationTimestamp\":\"" + expires + "\"";
  }

  private int runs() throws Exception {
    return Files.readAllLines(folder.resolve("runs")).size();
  }

  private Config load(String server, String more) throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("kubeconfig"),
            """
            current-context: c
            contexts: [{name: c, context: {cluster: k, user: u}}]
            clusters: [{name: k, cluster: {server: '%s'}}]
            users:
            - name: u
              user:
                exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin%s}
            """
                .formatted(server, more));
    return ClientConfig.load(file, null, time, clock);
  }

  private RenewedCredentials credentials() throws Exception {
    return (RenewedCredentials) load("https://example.com", "").getOauthTokenProvider();
  }

  @Test
  void runsThePluginAgainWhenItsTokenExpiresAndNotBefore() throws Exception {
    plugin("cat answer");
    answer(token("first", START.plus(HOUR)));
    RenewedCredentials credentials = credentials();
    answer(token("second", START.plus(HOUR.multipliedBy(2))));
    time.advance(HOUR.minusNanos(1));
    assertThat(credentials.getToken()).isEqualTo("first");
    assertThat(runs()).isEqualTo(1);
    time.advance(Duration.ofNanos(1));
    assertThat(credentials.getToken()).isEqualTo("second");
    assertThat(credentials.getToken()).isEqualTo("second");
    assertThat(runs()).isEqualTo(2);
  }

  @Test
  void keepsATokenWithoutAnEnd() throws Exception {
    plugin("cat answer");
    answer("\"token\":\"t\"");
    RenewedCredentials credentials = credentials();
    time.advance(Duration.ofDays(300));
    assertThat(credentials.getToken()).isEqualTo("t");
    assertThat(runs()).isEqualTo(1);
  }

  @Test
  void runsThePluginAgainAfterARefusalButNotForEach() throws Exception {
    plugin("cat answer");
    answer(token("first", START.plus(HOUR)));
    RenewedCredentials credentials = credentials();
    assertThat(credentials.refused("first")).as("the plugin has no other").isEmpty();
    answer(token("second", START.plus(HOUR)));
    assertThat(credentials.refused("first")).as("it has just run").isEmpty();
    assertThat(runs()).isEqualTo(2);
    time.advance(ExecCredentials.PAUSE);
    assertThat(credentials.refused("first")).contains("second");
    assertThat(credentials.refused("first")).as("another thread was quicker").contains("second");
    assertThat(runs()).isEqualTo(3);
  }

  @Test
  void keepsTheLastTokenIfThePluginFailsAndTriesAgain() throws Exception {
    plugin("cat answer");
    answer(token("first", START.plus(HOUR)));
    RenewedCredentials credentials = credentials();
    Files.delete(folder.resolve("answer"));
    time.advance(HOUR);
    try (Logs logs = Logs.of(ExecCredentials.class)) {
      for (int i = 0; i < 3; i++) {
        assertThat(credentials.getToken()).isEqualTo("first");
        assertThat(credentials.getToken()).isEqualTo("first");
        assertThat(runs()).isEqualTo(2 + i);
        time.advance(ExecCredentials.PAUSE);
      }
      assertThat(logs.lines()).singleElement().asString().contains("keeping the current ones");
    }
    answer(token("second", START.plus(HOUR.multipliedBy(2))));
    assertThat(credentials.getToken()).isEqualTo("second");
  }

  @Test
  void tellsThePluginWhatItAskedFor() throws Exception {
    plugin("echo \"$KUBERNETES_EXEC_INFO $WHO $1 $2\" > heard; cat answer");
    answer(token("t", START.plus(HOUR)));
    load(
        "https://example.com",
        ", args: [a, 'b  \"c'], env: [{name: WHO, value: me}], provideClusterInfo: true");
    assertThat(Files.readString(folder.resolve("heard")))
        .contains("\"kind\":\"ExecCredential\"")
        .contains("\"apiVersion\":\"client.authentication.k8s.io/v1\"")
        .contains("\"server\":\"https://example.com\"")
        .contains("\"interactive\":false")
        .endsWith(" me a b  \"c\n");
  }

  @Test
  void givesTheInstallHintOfAPluginThatIsMissing() {
    assertThatThrownBy(() -> load("https://example.com", ", installHint: Get it from the shop."))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the exec plugin of the kubeconfig can't be used")
        .hasMessageContaining("plugin can't be run")
        .hasMessageEndingWith(". Get it from the shop.");
  }

  /** Without a word to the server; fabric8 would go on as system:anonymous. */
  @Test
  void refusesAPluginThatGivesNoCredentials() throws Exception {
    record Case(String script, String complaint) {}
    String kind = "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\"";
    for (Case c :
        List.of(
            new Case("exit 3", "exit code 3"),
            new Case("echo secret", "did not print an ExecCredential"),
            new Case("true", "did not print an ExecCredential"),
            new Case("echo '" + kind + "}'", "neither a token nor a certificate"),
            new Case("echo '" + kind.replace("/v1", "/v9") + "}'", "/v9"),
            new Case("echo '" + kind + ",\"status\":{\"clientKeyData\":\"secret\"}}'", "without"),
            new Case(
                "echo '"
                    + kind
                    + ",\"status\":{\"token\":\"secret\",\"expirationTimestamp\":\"x\"}}'",
                "not a time"))) {
      plugin(c.script());
      assertThatThrownBy(() -> load("https://example.com", ""))
          .as(c.script())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(c.complaint())
          .hasMessageNotContaining("secret");
    }
    assertThatThrownBy(() -> load("https://example.com", ", interactiveMode: Always"))
        .hasMessageContaining("requires a terminal");
  }

  /** With the programs that it has started. */
  @Test
  void endsAPluginThatHangs() throws Exception {
    Path begun = folder.resolve("begun");
    plugin("sleep 613 & touch '" + begun + "'; wait");
    CompletableFuture<Config> loading =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return load("https://example.com", "");
              } catch (Exception e) {
                throw new IllegalStateException(e.getMessage(), e);
              }
            });
    Eventually.until(() -> Files.exists(begun) && !time.pending().isEmpty());
    time.advance(ExecPlugin.LIMIT);
    assertThatThrownBy(loading::join)
        .hasMessageContaining("exec plugin of the kubeconfig can't be used");
    Eventually.that(
        () ->
            assertThat(ProcessHandle.allProcesses())
                .extracting(process -> process.info().commandLine().orElse(""))
                .doesNotContain("sleep 613"));
  }

  /** What counts is what the server gets, also through the client that a manager makes. */
  @Test
  void repeatsARefusedRequestWithTheNextToken() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
          seen.add(token);
          exchange.sendResponseHeaders(token.equals("Bearer second") ? 404 : 401, -1);
          exchange.close();
        });
    server.start();
    plugin("cat answer");
    answer(token("first", START.plus(HOUR)));
    Config config = load("http://127.0.0.1:" + server.getAddress().getPort(), "");
    answer(token("second", START.plus(HOUR)));
    try (KubernetesClient client =
        PipelineClients.open(
            config,
            new SocketTransport(),
            Clients.hooks(WriteHook.NONE, RequestListener.NONE),
            time)) {
      client.pods().inNamespace("a").withName("b").get();
      client.pods().inNamespace("a").withName("b").get();
    } finally {
      server.stop(0);
    }
    assertThat(seen).containsExactly("Bearer first", "Bearer second", "Bearer second");
    assertThat(runs()).isEqualTo(2);
  }
}
