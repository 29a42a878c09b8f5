// SPDX-License-Identifier: Apache-2.0
package dev.windlass.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Clients;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each field of a kubeconfig does what kubectl does with it, or is refused by name. */
final class KubeconfigFieldsTest {

  private final ManualScheduler time = new ManualScheduler();

  @TempDir private Path folder = Path.of("unset");

  private Path file(String cluster, String user) throws Exception {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        apiVersion: v1
        kind: Config
        current-context: c
        contexts:
        - name: c
          context: {cluster: k, user: u}
        clusters:
        - name: k
          cluster: {%s}
        users:
        - name: other
          user: {token: wrong, as: wrong}
        - name: u
          user: {%s}
        """
            .formatted(cluster, user));
  }

  private Config load(String cluster, String user) throws Exception {
    return ClientConfig.load(
        file(
            "server: 'https://example.com:6443'" + (cluster.isEmpty() ? "" : ", ") + cluster, user),
        null,
        time,
        Clock.systemUTC());
  }

  private record Field(String cluster, String user, Function<Config, Object> taken, Object value) {
    static Field cluster(String text, Function<Config, Object> taken, Object value) {
      return new Field(text, "token: t", taken, value);
    }

    static Field user(String text, Function<Config, Object> taken, Object value) {
      return new Field("", text, taken, value);
    }

    @Override
    public String toString() {
      return cluster + user;
    }
  }

  static Stream<Field> fields() {
    return Stream.of(
        Field.cluster("tls-server-name: inner", Config::getTlsServerName, "inner"),
        Field.cluster("proxy-url: 'http://proxy:3128'", Config::getHttpsProxy, "http://proxy:3128"),
        Field.cluster("insecure-skip-tls-verify: true", Config::isTrustCerts, true),
        Field.cluster(
            "certificate-authority-data: LS0tLS1CRUdJTiBY",
            Config::getCaCertData,
            "LS0tLS1CRUdJTiBY"),
        Field.user(
            "client-certificate-data: LS0tLS1CRUdJTiBY",
            Config::getClientCertData,
            "LS0tLS1CRUdJTiBY"),
        Field.user(
            "client-key-data: LS0tLS1CRUdJTiBY", Config::getClientKeyData, "LS0tLS1CRUdJTiBY"),
        Field.user(
            "username: me, password: p", c -> c.getUsername() + ":" + c.getPassword(), "me:p"),
        Field.user("token: t", Config::getAutoOAuthToken, "t"),
        Field.user("token: t, as: robot", Config::getImpersonateUsername, "robot"),
        Field.user(
            "as: robot, as-groups: [a, b]",
            c -> List.of(c.getImpersonateGroups()),
            List.of("a", "b")),
        Field.user(
            "as: robot, as-user-extra: {why: [x]}",
            c -> c.getImpersonateExtras().get("why"),
            List.of("x")),
        Field.user("as: robot, as-uid: '7'", c -> c.getCustomHeaders().get("Impersonate-Uid"), "7"),
        Field.user(
            "auth-provider: {name: oidc, config: {id-token: t}}", Config::getAutoOAuthToken, "t"));
  }

  @ParameterizedTest
  @MethodSource("fields")
  void areTaken(Field field) throws Exception {
    assertThat(field.taken().apply(load(field.cluster(), field.user()))).isEqualTo(field.value());
  }

  /** A provider may take the old token back; only the file tells the next start, and kubectl. */
  @Test
  void sayWhereRenewedTokensAreKept() throws Exception {
    Config config = load("", "auth-provider: {name: oidc, config: {id-token: t}}");
    assertThat(config.getFileWithAuthInfo()).isEqualTo(folder.resolve("kubeconfig").toFile());
  }

  private record PathField(String cluster, String user, Function<Config, String> taken) {
    @Override
    public String toString() {
      return cluster + user;
    }
  }

  static Stream<PathField> pathFields() {
    return Stream.of(
        new PathField("certificate-authority: '%s'", "token: t", Config::getCaCertFile),
        new PathField("", "client-certificate: '%s'", Config::getClientCertFile),
        new PathField("", "client-key: '%s'", Config::getClientKeyFile),
        new PathField("", "tokenFile: '%s'", c -> c.getOauthTokenProvider().getToken()));
  }

  @ParameterizedTest
  @MethodSource("pathFields")
  void arePathsRelativeToTheFileThatTheyStandIn(PathField field) throws Exception {
    Path target = Files.createDirectory(folder.resolve("pki")).resolve("file");
    Files.writeString(target, target.toString());
    for (String path : List.of("pki/file", "./pki/../pki/file", target.toString())) {
      Config config = load(field.cluster().formatted(path), field.user().formatted(path));
      assertThat(Path.of(field.taken().apply(config)).normalize()).as(path).isEqualTo(target);
    }
  }

  /** In YAML a mapping may begin with a brace, and yet be no JSON. */
  @Test
  void areTakenFromAFlowMappingAcrossLines() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("flow"),
            """
            {apiVersion: v1, kind: Config,
             current-context: c, # a comment
             contexts: [{name: c, context: {cluster: k, user: u}}],
             clusters: [{name: k, cluster: {server: 'https://example.com',
                                            certificate-authority: ca.crt}}],
             users: [{name: u, user: {token: t}}]}
            """);
    for (String property : new String[] {"", file.toString()}) {
      System.setProperty("kubeconfig", property);
      try {
        Config config =
            ClientConfig.load(property.isEmpty() ? file : null, null, time, Clock.systemUTC());
        assertThat(config.getMasterUrl()).isEqualTo("https://example.com/");
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("t");
        assertThat(Path.of(config.getCaCertFile())).isEqualTo(folder.resolve("ca.crt"));
      } finally {
        System.clearProperty("kubeconfig");
      }
    }
  }

  @Test
  void areTakenFromJson() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("json"),
            """
            {
            \t"current-context": "c",
            \t"contexts": [{"name": "c", "context": {"cluster": "k", "user": "u"}}],
            \t"clusters": [{"name": "k", "cluster": {"server": "https:\\/\\/example.com"}}],
            \t"users": [{"name": "u", "user": {"token": "t"}}]
            }
            """);
    Config config = ClientConfig.load(file, null, time, Clock.systemUTC());
    assertThat(config.getMasterUrl()).isEqualTo("https://example.com/");
  }

  @Test
  void readTheTokenAgainWhereItStands() throws Exception {
    Config config = load("", "token: first");
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
    file("server: 'https://example.com'", "token: second");
    time.advance(TokenFile.PERIOD);
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
    Files.writeString(folder.resolve("kubeconfig"), "{half");
    time.advance(TokenFile.PERIOD);
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
  }

  /** fabric8 would read the file for each request, and fail those that find it half-written. */
  @Test
  void areNotReadAgainIfThereIsNoToken() throws Exception {
    Config config = load("", "client-certificate-data: LS0tLS1CRUdJTiBY");
    assertThat(config.getOauthTokenProvider()).isNotNull();
    assertThat(config.getOauthTokenProvider().getToken()).isNull();
  }

  @Test
  void readATokenFileBesideTheKubeconfigAndReadItAgain() throws Exception {
    Path token = Files.writeString(folder.resolve("token"), "first\n");
    Config config = load("", "token: stale, tokenFile: token");
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
    Files.writeString(token, "second\n");
    time.advance(TokenFile.PERIOD);
    assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
    Files.delete(token);
    try (Logs logs = Logs.of(TokenFile.class)) {
      time.advance(TokenFile.PERIOD);
      assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
      time.advance(TokenFile.PERIOD);
      assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
      assertThat(logs.lines()).singleElement().asString().contains("keeping the current token");
    }
  }

  @Test
  void areTakenFromSeveralFiles() throws Exception {
    Path first =
        Files.writeString(
            folder.resolve("first"),
            "current-context: c\ncontexts: [{name: c, context: {cluster: k, user: split}}]\n");
    Files.writeString(folder.resolve("token"), "t");
    Path second =
        Files.writeString(
            folder.resolve("second"), "users: [{name: split, user: {tokenFile: token}}]\n");
    String all =
        String.join(
            File.pathSeparator,
            first.toString(),
            second.toString(),
            file("server: 'https://example.com'", "token: x").toString());
    System.setProperty("kubeconfig", all);
    try {
      Config config = ClientConfig.load(null, null, time, Clock.systemUTC());
      assertThat(config.getMasterUrl()).startsWith("https://example.com");
      assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("t");
    } finally {
      System.clearProperty("kubeconfig");
    }
  }

  @Test
  void refuseATokenFileThatIsMissing() {
    assertThatThrownBy(() -> load("", "tokenFile: nowhere"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tokenFile")
        .hasMessageContaining("nowhere");
  }

  /** What counts is what the server gets. */
  @Test
  void sendTheTokenOfAFileWithEachRequest() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          seen.add(
              exchange.getRequestHeaders().getFirst("Authorization")
                  + " as "
                  + exchange.getRequestHeaders().getFirst("Impersonate-User")
                  + " "
                  + exchange.getRequestHeaders().getFirst("Impersonate-Uid"));
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    Path token = Files.writeString(folder.resolve("token"), "first");
    Config config =
        ClientConfig.load(
            file(
                "server: 'http://127.0.0.1:" + server.getAddress().getPort() + "'",
                "tokenFile: token, as: robot, as-uid: '7'"),
            null,
            time,
            Clock.systemUTC());
    try (KubernetesClient client = Clients.hooked(config, WriteHook.NONE)) {
      client.pods().inNamespace("a").withName("b").get();
      Files.writeString(token, "second");
      time.advance(TokenFile.PERIOD);
      client.pods().inNamespace("a").withName("b").get();
    } finally {
      server.stop(0);
    }
    assertThat(seen).containsExactly("Bearer first as robot 7", "Bearer second as robot 7");
  }
}
