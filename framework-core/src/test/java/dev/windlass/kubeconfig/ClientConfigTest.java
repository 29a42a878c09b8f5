// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

final class ClientConfigTest {

  private static final String GOOD =
      """
      apiVersion: v1
      kind: Config
      current-context: c
      contexts:
      - name: c
        context: {cluster: k, user: u, namespace: mine}
      clusters:
      - name: k
        cluster: {server: "https://example.com:6443", certificate-authority: ca.crt}
      users:
      - name: u
        user: {token: t}
      """;

  private static final ManualScheduler TIME = new ManualScheduler();

  @TempDir private Path folder = Path.of("unset");

  private Path file(String content) throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), content);
  }

  @Test
  void readsTheFileThatItIsGiven() throws IOException {
    Config config = ClientConfig.load(file(GOOD), null, TIME, Clock.systemUTC());
    assertThat(config.getMasterUrl()).isEqualTo("https://example.com:6443/");
    assertThat(config.getNamespace()).isEqualTo("mine");
    assertThat(config.getAutoOAuthToken()).isEqualTo("t");
  }

  /** As for kubectl: an election needs a namespace, however it is turned on. */
  @Test
  void isInTheDefaultNamespaceIfNothingNamesAnother() throws IOException {
    Path nowhere = file(GOOD.replace(", namespace: mine", ""));
    assertThat(ClientConfig.load(nowhere, null, TIME, Clock.systemUTC()).getNamespace())
        .isEqualTo("default");
    assertThat(ClientConfig.load(null, "http://a:1", TIME, Clock.systemUTC()).getNamespace())
        .isEqualTo("default");
  }

  /** kubectl reads paths in a kubeconfig relative to it, wherever it is called. */
  @Test
  void findsFilesThatAKubeconfigNamesBesideIt() throws IOException {
    Config config = ClientConfig.load(file(GOOD), null, TIME, Clock.systemUTC());
    assertThat(Path.of(config.getCaCertFile())).isEqualTo(folder.resolve("ca.crt"));
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:8001, http://localhost:8001/",
    "http://localhost:8001/, http://localhost:8001/",
    "https://other:6443/base, https://other:6443/base/"
  })
  void prefersTheAddressThatItIsGiven(String given, String url) throws IOException {
    Config config = ClientConfig.load(file(GOOD), given, TIME, Clock.systemUTC());
    assertThat(config.getMasterUrl()).isEqualTo(url);
    assertThat(config.getAutoOAuthToken()).isEqualTo("t");
    assertThat(ClientConfig.load(null, given, TIME, Clock.systemUTC()).getMasterUrl())
        .isEqualTo(url);
  }

  /** In a Pod, the kubelet replaces the token before it expires (docs/reliability.md, bug 32). */
  @Test
  void takesTheRenewedTokenOfAServiceAccount() throws IOException {
    List<String> seen = new CopyOnWriteArrayList<>();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(any, 0);
    server.createContext(
        "/",
        exchange -> {
          String token = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
          seen.add(token);
          exchange.sendResponseHeaders(token.equals("Bearer second") ? 404 : 401, -1);
          exchange.close();
        });
    server.start();
    Path token = Files.writeString(folder.resolve("token"), "first");
    Map<String, String> pod =
        Map.of(
            Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY,
            "false",
            Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY,
            token.toString(),
            Config.KUBERNETES_MASTER_SYSTEM_PROPERTY,
            "http://127.0.0.1:" + server.getAddress().getPort());
    pod.forEach(System::setProperty);
    try (KubernetesClient client =
        PipelineClients.open(
            Config.autoConfigure(null),
            new SocketTransport(),
            Clients.hooks(WriteHook.NONE, RequestListener.NONE),
            TIME)) {
      Files.writeString(token, "second");
      client.pods().inNamespace("a").withName("b").get();
    } finally {
      pod.keySet().forEach(System::clearProperty);
      server.stop(0);
    }
    assertThat(seen).containsExactly("Bearer first", "Bearer second");
  }

  /** In the same words, whether the program names the file or the environment does. */
  private static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Path file) {
    Throwable named = catchThrowable(() -> ClientConfig.load(file, null, TIME, Clock.systemUTC()));
    System.setProperty("kubeconfig", file.toString());
    try {
      assertThatThrownBy(() -> ClientConfig.load(null, null, TIME, Clock.systemUTC()))
          .hasMessage(named.getMessage());
    } finally {
      System.clearProperty("kubeconfig");
    }
    return assertThat(named).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAFileThatIsMissing() {
    Path missing = folder.resolve("missing");
    assertRefused(missing)
        .hasMessage(
            "there is no kubeconfig file %s; name one that exists, or remove the setting that"
                + " names this one",
            missing);
  }

  @Test
  void namesADirectoryInPlaceOfAFile() {
    assertRefused(folder).hasMessage("the kubeconfig %s is a directory; name a file in it", folder);
  }

  private record Case(String what, String content, String sentence) {}

  static Stream<Case> cases() {
    String unreadable = "can't be read";
    String noContext = "has no current context, or does not contain it; choose one with: kubectl";
    return Stream.of(
        new Case("garbage", "a: [b", unreadable),
        new Case("a text", "hello", unreadable),
        new Case("a list", "[1, 2]", unreadable),
        new Case("nothing", "", "is empty"),
        new Case("comments", "# nothing\n", unreadable),
        new Case("no current context", GOOD.replace("current-context: c", ""), noContext),
        new Case(
            "another context",
            GOOD.replace("current-context: c", "current-context: d"),
            noContext));
  }

  /** The message names the file and a command to check it, but no credentials. */
  @ParameterizedTest
  @MethodSource("cases")
  void saysWhatIsWrongWithTheFileAndWhatToDo(Case c) throws IOException {
    Path file = file(c.content());
    assertRefused(file)
        .hasMessageContaining(file.toString())
        .hasMessageContaining(c.sentence())
        .hasMessageContaining("kubectl --kubeconfig " + file);
  }
}
