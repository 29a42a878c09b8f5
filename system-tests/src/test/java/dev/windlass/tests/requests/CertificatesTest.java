// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.ApiException;
import dev.windlass.client.pipeline.Pipeline;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.informer.Informer;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.real.access.CertificateAuthority;
import dev.windlass.testing.fault.TcpProxy;
import dev.windlass.tests.owned.Samples;
import dev.windlass.transport.SocketTransport;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The server gets a certificate of another CA, and the CA file changes with it or not. */
@Timeout(180)
final class CertificatesTest {

  @AutoClose private final EmbeddedApiServer first = EmbeddedApiServer.builder().withTls().start();
  @AutoClose private final EmbeddedApiServer second = EmbeddedApiServer.builder().withTls().start();

  /** Leads to the first server, and later to the second one. */
  @AutoClose private final TcpProxy network = TcpProxy.to(port(first));

  /** By which files are read again; the rest runs on the system's. */
  private final ManualScheduler time = new ManualScheduler();

  @TempDir private Path folder;
  private int versions;

  private static int port(EmbeddedApiServer server) {
    return URI.create(server.url()).getPort();
  }

  private static String authority(EmbeddedApiServer server) {
    byte[] pem = Base64.getDecoder().decode(server.clientConfig().getCaCertData());
    return new String(pem, StandardCharsets.US_ASCII);
  }

  static Stream<HttpClient.Factory> transports() {
    return Stream.of(
        new SocketTransport(),
        new VertxHttpClientFactory(),
        new JdkHttpClientFactory(),
        new OkHttpClientFactory());
  }

  @BeforeEach
  void startsWithTheFirstAuthority() throws IOException {
    mount(authority(first));
    Files.createSymbolicLink(authorityFile(), Path.of("..data", "ca.crt"));
    // The second server has made more versions than the first one will have.
    try (KubernetesClient kubectl = second.newClient()) {
      for (int i = 0; i < 20; i++) {
        kubectl.resource(map("earlier-" + i)).create();
      }
    }
  }

  private Path authorityFile() {
    return folder.resolve("ca.crt");
  }

  /** As the kubelet does it. */
  private void mount(String authority) throws IOException {
    Path version = Files.createDirectory(folder.resolve("..version-" + versions++));
    Files.writeString(version.resolve("ca.crt"), authority);
    Path link = Files.createSymbolicLink(folder.resolve("..data_tmp"), version.getFileName());
    Files.move(link, folder.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
  }

  private Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("https://127.0.0.1:" + network.port() + "/")
        .withCaCertFile(authorityFile().toString())
        .withHttp2Disable(true)
        .withNamespace("default")
        .build();
  }

  private void breakConnections() {
    network.cut();
    network.heal();
  }

  private static ConditionFactory within(Duration limit) {
    return eventually().atMost(limit).ignoreExceptions();
  }

  private static ConfigMap map(String name) {
    return Samples.map("default", name);
  }

  /** A running manager, and what it watches. */
  private record Operator(Manager manager, Informer<ConfigMap> maps) {

    boolean distrusts() {
      return maps.problem().filter(t -> t.reason() == FeedFailure.Reason.TLS).isPresent();
    }

    /**
     * A request on a connection that is just being broken gets no answer. The next one does not.
     */
    void isRefused(String why) {
      within(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> manager.client().create(map("refused")))
                      .isInstanceOf(ApiException.class)
                      .hasMessageContaining(why));
    }

    /** Writes, and hears of it by the watch. */
    void works(String name) {
      within(Duration.ofSeconds(60))
          .until(() -> manager.client().create(map(name)).getMetadata().getUid() != null);
      within(Duration.ofSeconds(60))
          .until(
              () ->
                  maps.indexer().get(ObjectKey.of("default", name)).isPresent()
                      && maps.problem().isEmpty());
      manager.client().delete(ConfigMap.class, ObjectKey.of("default", name));
    }
  }

  private interface Story {
    void tell(Operator operator) throws Exception;
  }

  private void with(HttpClient.Factory transport, Story story) throws Exception {
    try (KubernetesClient base =
            PipelineClients.open(
                config(),
                transport,
                new Pipeline.Hooks(WriteHook.NONE, RequestListener.NONE, Thread::new),
                time);
        Manager manager = Manager.builder().client(base).build()) {
      Operator operator = new Operator(manager, manager.cache(ConfigMap.class));
      manager.start();
      within(Duration.ofSeconds(30)).until(operator.maps()::hasSynced);
      story.tell(operator);
    }
  }

  @ParameterizedTest
  @MethodSource("transports")
  void takesANewAuthorityWithoutARestart(HttpClient.Factory transport) throws Exception {
    with(
        transport,
        operator -> {
          operator.works("before");
          network.retarget(port(second));
          breakConnections();
          within(Duration.ofSeconds(30)).until(operator::distrusts);
          String why = "the server's certificate is not signed by a CA in " + authorityFile();
          assertThat(operator.maps().problem().orElseThrow().message()).startsWith(why);
          operator.isRefused(why);
          mount(authority(second));
          operator.works("after");
        });
  }

  @ParameterizedTest
  @MethodSource("transports")
  void trustsNobodyByAWrongAuthorityUntilItIsPutRight(HttpClient.Factory transport)
      throws Exception {
    with(
        transport,
        operator -> {
          operator.works("before");
          mount(CertificateAuthority.create(Clock.systemUTC()).self().certificatePem());
          time.advance(Duration.ofSeconds(10)); // for which the old one may be in use
          breakConnections();
          within(Duration.ofSeconds(30)).until(operator::distrusts);
          operator.isRefused("is not signed by a CA in");
          mount(authority(first));
          operator.works("after");
        });
  }
}
