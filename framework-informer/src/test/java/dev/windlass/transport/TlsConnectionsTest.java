// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.TlsVersion;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections with TLS, and through HTTP proxies. */
@Timeout(60)
final class TlsConnectionsTest {

  private static final String CREDENTIALS = "Basic dTpw";

  private final LoopbackServer server = new LoopbackServer(Tls.SERVER);
  private final LoopbackServer proxy = new LoopbackServer();

  TlsConnectionsTest() throws IOException {}

  @AfterEach
  void closes() throws IOException {
    server.close();
    proxy.close();
  }

  /** Sends a request with the given settings, and returns the session that the server sees. */
  private ExtendedSSLSession session(String host, Consumer<HttpClient.Builder> settings)
      throws Exception {
    try (Client client = new Client(settings)) {
      CompletableFuture<HttpResponse<String>> response =
          client.get("https://" + host + ":" + server.port() + "/");
      LoopbackServer.Peer peer = server.asked();
      peer.respond("secure");
      assertThat(Client.body(response)).isEqualTo("secure");
      return (ExtendedSSLSession) ((SSLSocket) peer.socket).getSession();
    }
  }

  private Throwable failure(String host, Consumer<HttpClient.Builder> settings) throws Exception {
    try (Client client = new Client(settings)) {
      CompletableFuture<HttpResponse<String>> response =
          client.get("https://" + host + ":" + server.port() + "/");
      LoopbackServer.Peer peer = server.accept();
      assertThatThrownBy(peer::head).isInstanceOf(IOException.class);
      return Client.failure(response);
    }
  }

  @Test
  void verifyAndStateTheServerNameOfTheKubeconfig() throws Exception {
    assertThat(session("127.0.0.1", named("localhost")).getRequestedServerNames().toString())
        .contains("localhost");
    assertThat(session("localhost", Tls::trust).getRequestedServerNames()).isEmpty();
    assertThat(session("localhost", TlsConnectionsTest::address).getRequestedServerNames())
        .isEmpty();
    assertThat(session("localhost", named(" ")).getRequestedServerNames()).isEmpty();
  }

  /** Names an IP address, and trusts every server, as {@code insecure-skip-tls-verify} demands. */
  private static void address(HttpClient.Builder settings) {
    try {
      settings
          .tlsServerName("10.0.0.1")
          .sslContext(null, SSLUtils.trustManagers(null, null, true, null, null));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Consumer<HttpClient.Builder> named(String tlsServerName) {
    return settings -> Tls.trust(settings.tlsServerName(tlsServerName));
  }

  @Test
  void rejectInvalidSettings() {
    assertThatThrownBy(() -> new Client(named("my_host")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the TLS server name 'my_host' is not a host name");
    assertThatThrownBy(() -> new Client(settings -> settings.proxyAuthorization("a\nb")))
        .hasMessage("the header Proxy-Authorization contains a line break; remove it");
  }

  @ParameterizedTest
  @CsvSource({
    "localhost, other, other",
    "127.0.0.1, '', alternative names",
    "localhost, 10.0.0.1, alternative names"
  })
  void rejectCertificatesForOtherNames(String host, String name, String shown) throws Exception {
    assertThat(failure(host, named(name)))
        .isInstanceOf(SSLHandshakeException.class)
        .hasMessageContaining(shown);
  }

  @Test
  void rejectServersThatAreNotTrusted() throws Exception {
    assertThat(failure("localhost", settings -> settings.sslContext(null, null)))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"TLS_1_2", "TLS_1_3"})
  void useTheVersionsOfTheSettings(TlsVersion version) throws Exception {
    assertThat(session("localhost", s -> Tls.trust(s.tlsVersions(version))).getProtocol())
        .isEqualTo(version.javaName());
  }

  @Test
  void presentTheClientsCertificate() throws Exception {
    server.requireCertificates();
    assertThat(session("localhost", Tls::identify).getPeerCertificates())
        .containsExactly(Tls.KEY.x509());
    assertThat(failure("localhost", Tls::trust)).isInstanceOf(IOException.class);
  }

  private Client proxied(HttpClient.ProxyType type) {
    return new Client(
        settings ->
            Tls.trust(
                settings
                    .connectTimeout(10, TimeUnit.SECONDS)
                    .proxyType(type)
                    .proxyAddress(new InetSocketAddress("127.0.0.1", proxy.port()))
                    .proxyAuthorization(CREDENTIALS)));
  }

  @Test
  void letAProxyForwardRequestsWithoutTls() throws Exception {
    try (Client client = proxied(HttpClient.ProxyType.HTTP)) {
      CompletableFuture<HttpResponse<String>> response =
          client.get("http://api.example:8080/a%2Fb?c=d");
      LoopbackServer.Peer peer = proxy.accept();
      assertThat(peer.head())
          .startsWith("GET http://api.example:8080/a%2Fb?c=d HTTP/1.1|Host: api.example:8080|")
          .containsOnlyOnce("|Proxy-Authorization: " + CREDENTIALS + "|");
      peer.respond("forwarded");
      assertThat(Client.body(response)).isEqualTo("forwarded");
    }
  }

  @Test
  void tunnelThroughAProxyWithTls() throws Exception {
    try (Client client = proxied(HttpClient.ProxyType.HTTP)) {
      CompletableFuture<HttpResponse<String>> response = client.get("https://localhost:6443/a");
      LoopbackServer.Peer peer = proxy.accept();
      assertThat(peer.head())
          .isEqualTo(
              "CONNECT localhost:6443 HTTP/1.1|Host: localhost:6443|Proxy-Authorization: "
                  + CREDENTIALS
                  + "||");
      peer.send("HTTP/1.1 200 Connection established||");
      SSLSocket end =
          (SSLSocket) Tls.CONTEXT.getSocketFactory().createSocket(peer.socket, null, 0, true);
      end.setUseClientMode(false);
      LoopbackServer.Peer behind = new LoopbackServer.Peer(end);
      assertThat(behind.head())
          .startsWith("GET /a HTTP/1.1|Host: localhost:6443|")
          .doesNotContain("Proxy");
      behind.respond("tunnelled");
      assertThat(Client.body(response)).isEqualTo("tunnelled");
    }
  }

  private static Client secureProxy(LoopbackServer proxy, Consumer<HttpClient.Builder> trust) {
    return new Client(
        settings -> {
          ((SocketClientBuilder) settings).secureProxy = true;
          trust.accept(settings);
          settings
              .proxyType(HttpClient.ProxyType.HTTP)
              .proxyAddress(new InetSocketAddress("localhost", proxy.port()))
              .proxyAuthorization(CREDENTIALS);
        });
  }

  @Test
  void tunnelWithTlsThroughAProxyThatExpectsTls() throws Exception {
    try (Client client = secureProxy(server, Tls::trust)) {
      CompletableFuture<HttpResponse<String>> response = client.get("https://localhost:6443/a");
      LoopbackServer.Peer peer = server.accept();
      assertThat(peer.head())
          .startsWith("CONNECT localhost:6443 HTTP/1.1|")
          .contains("|Proxy-Authorization: " + CREDENTIALS + "|");
      peer.send("HTTP/1.1 200 Connection established||");
      SSLSocket end =
          (SSLSocket) Tls.CONTEXT.getSocketFactory().createSocket(peer.socket, null, 0, true);
      end.setUseClientMode(false);
      LoopbackServer.Peer behind = new LoopbackServer.Peer(end);
      for (String path : new String[] {"/a", "/b"}) {
        assertThat(behind.head()).startsWith("GET " + path).doesNotContain("Proxy");
        behind.respond("tunnelled");
        assertThat(Client.body(response)).isEqualTo("tunnelled");
        response = path.equals("/a") ? client.get("https://localhost:6443/b") : response;
      }
    }
  }

  @Test
  void letAProxyThatExpectsTlsForwardRequestsWithoutTls() throws Exception {
    try (Client client = secureProxy(server, Tls::trust)) {
      CompletableFuture<HttpResponse<String>> response = client.get("http://api.example:8080/a");
      LoopbackServer.Peer peer = server.accept();
      assertThat(peer.head()).startsWith("GET http://api.example:8080/a HTTP/1.1|");
      peer.respond("forwarded");
      assertThat(Client.body(response)).isEqualTo("forwarded");
    }
  }

  @Test
  void sendNothingToAProxyThatIsNotTrusted() throws Exception {
    try (Client client = secureProxy(server, settings -> settings.sslContext(null, null))) {
      CompletableFuture<HttpResponse<String>> response = client.get("https://localhost:6443/a");
      assertThatThrownBy(server.accept()::head).isInstanceOf(IOException.class);
      assertThat(Client.failure(response)).isInstanceOf(SSLHandshakeException.class);
    }
    try (Client client = secureProxy(server, Tls::trust)) {
      assertThat(
              Client.failure(
                  client
                      .http
                      .newWebSocketBuilder()
                      .uri(URI.create("https://localhost/exec"))
                      .buildAsync(new WebSocket.Listener() {})))
          .hasMessage("a WebSocket can't use a proxy that expects TLS; use a proxy with http");
      assertThat(server.hasFurther()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"407 Proxy Authentication Required", "502 Bad Gateway", "301 Moved Permanently"})
  void nameTheProxyThatRefusesATunnel(String status) throws Exception {
    try (Client client = proxied(HttpClient.ProxyType.HTTP)) {
      CompletableFuture<HttpResponse<String>> response = client.get("https://api.example:6443/");
      LoopbackServer.Peer peer = proxy.asked();
      peer.send("HTTP/1.1 " + status + "|Content-Length: 0||");
      assertThat(Client.failure(response))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("127.0.0.1:" + proxy.port())
          .hasMessageContaining("refused the connection to api.example:6443: " + status);
      assertThat(peer.isClosedByClient()).isTrue();
    }
  }

  @Test
  void bypassTheProxyIfTheTypeIsDirect() throws Exception {
    try (Client client = proxied(HttpClient.ProxyType.DIRECT);
        LoopbackServer plain = new LoopbackServer()) {
      CompletableFuture<HttpResponse<String>> response = client.get(plain.url());
      LoopbackServer.Peer peer = plain.accept();
      assertThat(peer.head()).startsWith("GET / HTTP/1.1|").doesNotContain("Proxy");
      peer.respond("direct");
      assertThat(Client.body(response)).isEqualTo("direct");
    }
  }
}
