// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RequestMessageTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private static RequestMessage message(String uri, Consumer<HttpRequest.Builder> settings) {
    StandardHttpRequest.Builder request = new StandardHttpRequest.Builder();
    request.uri(uri);
    settings.accept(request);
    return RequestMessage.of(request.build());
  }

  private String written(RequestMessage message) throws IOException {
    message.writeTo(out, false, null);
    return out.toString(StandardCharsets.ISO_8859_1).replace("\r\n", "|");
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/a, /a, example.com",
    "http://example.com:80/a, /a, example.com",
    "http://example.com:8080/a, /a, example.com:8080",
    "https://example.com:443, /, example.com",
    "https://example.com:80?x=y, /?x=y, example.com:80",
    "https://user@10.0.0.1:6443/a#b, /a, 10.0.0.1:6443",
    "HTTPS://[::1]:6443/a, /a, [::1]:6443",
    "http://[fd00::1]/a, /a, [fd00::1]",
    "http://h/a%2Fb/%C3%A9?labelSelector=a%3Db&watch=true, /a%2Fb/%C3%A9?labelSelector=a%3Db&watch=true, h",
    "http://h//a/../b?, //a/../b?, h",
    "http://h/é?名=ü, /%C3%A9?%E5%90%8D=%C3%BC, h",
  })
  void namesTheTargetAndTheHost(String uri, String target, String host) throws Exception {
    assertThat(written(message(uri, request -> {})))
        .isEqualTo("GET " + target + " HTTP/1.1|Host: " + host + "||");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "ftp://h/a", "http:a", "http:///a"})
  void rejectsAddressesWithoutServer(String uri) {
    assertThatThrownBy(() -> message(uri, request -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(uri);
  }

  @ParameterizedTest
  @CsvSource({
    "header A, A, 'b\r\nC: d'",
    "header A, A, 'b\n'",
    "header A, A, 'b\rc'",
    "A, 'A\r\nB', c",
    "A, 'A: b\nB', c",
  })
  void rejectsLineBreaksInHeaders(String shown, String name, String value) {
    assertThatThrownBy(() -> message("http://h", request -> request.header(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(shown)
        .hasMessageContaining("line break");
  }

  @Test
  void rejectsLineBreaksInTheContentTypeAndTheMethod() {
    assertThatThrownBy(() -> message("http://h", r -> r.method("PUT", "a\r\nb: c", "")))
        .hasMessageContaining("header Content-Type contains a line break");
    assertThatThrownBy(() -> message("http://h", r -> r.method("GET / HTTP/1.1\r\nA: b", null, "")))
        .hasMessageContaining("method contains a line break");
  }

  @Test
  void determinesTheHeadersOfTheConnectionItself() throws Exception {
    RequestMessage message =
        message(
            "http://h",
            request ->
                request
                    .method("PATCH", "application/merge-patch+json", "é")
                    .header("host", "other")
                    .header("CONTENT-LENGTH", "100")
                    .header("Connection", "close")
                    .header("transfer-encoding", "chunked")
                    .header("content-type", "other")
                    .header("X", "1")
                    .header("X", "2"));
    assertThat(written(message))
        .isEqualTo(
            "PATCH / HTTP/1.1|Host: h|X: 1|X: 2|Content-Type: application/merge-patch+json"
                + "|Content-Length: 2||\u00c3\u00a9");
  }

  @Test
  void keepsAContentTypeThatIsOnlyAHeader() throws Exception {
    assertThat(written(message("http://h", request -> request.header("Content-type", "x"))))
        .isEqualTo("GET / HTTP/1.1|Host: h|Content-type: x||");
  }

  @ParameterizedTest
  @CsvSource({
    "GET,",
    "HEAD,",
    "DELETE,",
    "POST,Content-Length: 0|",
    "PUT,Content-Length: 0|",
    "PATCH,Content-Length: 0|"
  })
  void announcesAnEmptyBodyWhereServersExpectOne(String method, String length) throws Exception {
    assertThat(written(message("http://h", request -> request.method(method, null, (String) null))))
        .isEqualTo(method + " / HTTP/1.1|Host: h|" + (length == null ? "" : length) + "|");
  }

  @Test
  void sendsLargeBodiesOfBytes() throws Exception {
    String body = "x".repeat(100_000);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    assertThat(written(message("http://h", request -> request.post("a/b", bytes))))
        .isEqualTo(
            "POST / HTTP/1.1|Host: h|Content-Type: a/b|Content-Length: 100000||".concat(body));
  }

  /** A stream that returns its bytes in two parts. */
  private static InputStream stream(int size) {
    byte[] half = "x".repeat(size / 2).getBytes(StandardCharsets.UTF_8);
    byte[] rest = "x".repeat(size - size / 2).getBytes(StandardCharsets.UTF_8);
    return new SequenceInputStream(new ByteArrayInputStream(half), new ByteArrayInputStream(rest));
  }

  private static RequestMessage streamed(int size, long announced) {
    return message("http://h", r -> r.method("PUT", "a/b", stream(size), announced));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 10, 16_383, 16_384, 16_385, 100_000})
  void sendsStreams(int size) throws Exception {
    String start = "PUT / HTTP/1.1|Host: h|Content-Type: a/b|";
    assertThat(written(streamed(size, size)))
        .isEqualTo(start + "Content-Length: " + size + "||" + "x".repeat(size));
    out.reset();
    String chunked = written(streamed(size, -1));
    assertThat(chunked).startsWith(start + "Transfer-Encoding: chunked||").endsWith("|0||");
    String chunks = chunked.substring(chunked.indexOf("||") + 2).replaceAll("[0-9a-f]+\\|", "");
    assertThat(chunks.replace("|", "")).isEqualTo("x".repeat(size));
  }

  @ParameterizedTest
  @CsvSource({"11,10", "1,0", "16385,16384", "40000,16384", "10,11", "0,1", "16384,16385"})
  void neverCompletesARequestWhoseStreamHasAnotherLength(int size, int announced) {
    assertThatThrownBy(() -> written(streamed(size, announced)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(announced + " bytes announced");
    assertThat(out.size() - out.toString(StandardCharsets.UTF_8).indexOf("\r\n\r\n") - 4)
        .isLessThan(Math.max(announced, 1));
  }

  @ParameterizedTest
  @CsvSource({"GET,true", "HEAD,true", "POST,false", "PUT,false", "PATCH,false", "DELETE,false"})
  void repeatsOnlyReads(String method, boolean repeatable) {
    assertThat(message("http://h", r -> r.method(method, null, "")).isRepeatable())
        .isEqualTo(repeatable);
    assertThat(message("http://h", r -> r.method(method, null, stream(1), 1)).isRepeatable())
        .isFalse();
  }
}
