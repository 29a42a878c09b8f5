// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class FallbackTest {

  private static final Interceptor HEADER =
      new Interceptor() {
        @Override
        public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
          builder.header("X-Test", "intercepted");
        }
      };

  private final LoopbackServer server = new LoopbackServer();
  private final Client client =
      new Client(settings -> settings.addOrReplaceInterceptor("test", HEADER));

  FallbackTest() throws IOException {}

  @AfterEach
  void closes() throws IOException {
    client.close();
    server.close();
  }

  private CompletableFuture<WebSocket> webSocket() {
    return client
        .http
        .newWebSocketBuilder()
        .uri(URI.create(server.url() + "exec?command=a%20b"))
        .buildAsync(new WebSocket.Listener() {});
  }

  @Test
  void opensWebSocketsAndClosesThemWithTheClient() throws Exception {
    CompletableFuture<WebSocket> opened = webSocket();
    LoopbackServer.Peer peer = server.accept();
    String head = peer.head();
    assertThat(head)
        .startsWith("GET /exec?command=a%20b HTTP/1.1|")
        .containsOnlyOnce("|X-Test: intercepted|");
    String key = head.replaceAll("(?i).*\\|sec-websocket-key: ([^|]+)\\|.*", "$1");
    byte[] accepted =
        MessageDigest.getInstance("SHA-1")
            .digest(
                (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8));
    peer.send(
        "HTTP/1.1 101 Switching Protocols|Upgrade: websocket|Connection: Upgrade"
            + "|Sec-WebSocket-Accept: "
            + Base64.getEncoder().encodeToString(accepted)
            + "||");
    assertThat(Client.get(opened)).isNotNull();
    client.close();
    assertThat(peer.body(1)).as("a close frame").isEqualTo("\u0088");
    assertThat(Client.failure(webSocket())).hasMessage("the client is closed");
  }

  @Test
  void reportsTheRejectionOfAWebSocket() throws Exception {
    CompletableFuture<WebSocket> rejected = webSocket();
    LoopbackServer.Peer peer = server.accept();
    assertThat(peer.head()).containsOnlyOnce("|X-Test: intercepted|");
    peer.send("HTTP/1.1 403 Forbidden|Content-Length: 0||");
    assertThat(Client.failure(rejected))
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            failure -> assertThat(failure.getResponse().code()).isEqualTo(403));
  }

  @Test
  void connectsThroughSocksProxies() throws Exception {
    try (Client proxied =
        new Client(
            settings ->
                settings
                    .proxyType(HttpClient.ProxyType.SOCKS5)
                    .proxyAddress(new InetSocketAddress("127.0.0.1", server.port())))) {
      CompletableFuture<HttpResponse<String>> response = proxied.get("http://127.0.0.1:1/");
      LoopbackServer.Peer proxy = server.accept();
      assertThat(proxy.body(1)).isEqualTo("\u0005");
      proxy.close();
      assertThat(Client.failure(response)).isNotNull();
    }
  }

  @Test
  void namesTheDependencyThatIsMissing() {
    SocketClientBuilder settings = (SocketClientBuilder) new SocketTransport().newBuilder();
    KubernetesClientException cause = new KubernetesClientException("none found");
    try (FallbackClient fallback =
        new FallbackClient(
            settings,
            () -> {
              throw cause;
            })) {
      assertThatThrownBy(() -> fallback.get("a WebSocket"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("a WebSocket needs one of fabric8's HTTP transports")
          .hasMessageContaining("kubernetes-httpclient-vertx")
          .hasCause(cause);
    }
  }
}
