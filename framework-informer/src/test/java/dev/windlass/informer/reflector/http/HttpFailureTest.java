// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a refusal says, however its body arrives. */
final class HttpFailureTest {

  private static final String STATUS =
      "{\"kind\":\"Status\",\"code\":429,\"message\":\"zu schnell: ü 😀\","
          + "\"details\":{\"retryAfterSeconds\":7}}";

  private static FeedFailure read(byte[] body, int pieces, Map<String, String> headers) {
    HttpFailure failure = new HttpFailure(429, headers::get);
    for (int at = 0; at < body.length; at += pieces) {
      failure.accept(ByteBuffer.wrap(body, at, Math.min(pieces, body.length - at)));
    }
    return failure.failure();
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 1_000})
  void readsABodyWhateverThePieces(int pieces) throws IOException {
    byte[] plain = STATUS.getBytes(StandardCharsets.UTF_8);
    Map<String, String> gzip = Map.of("Content-Encoding", "gzip");
    for (FeedFailure failure :
        new FeedFailure[] {read(plain, pieces, Map.of()), read(packed(plain), pieces, gzip)}) {
      assertThat(failure.reason()).isEqualTo(Reason.THROTTLED);
      assertThat(failure.message()).isEqualTo("HTTP 429: zu schnell: ü 😀");
      assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(7));
    }
  }

  /** The code and the headers are known all the same. */
  @Test
  void doesWithoutABodyThatCantBeRead() {
    Map<String, String> headers = Map.of("Content-Encoding", "gzip", "Retry-After", "3");
    byte[] noGzip = "<html>Too many</html>".getBytes(StandardCharsets.UTF_8);
    FeedFailure failure = read(noGzip, 4, headers);
    assertThat(failure.reason()).isEqualTo(Reason.THROTTLED);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
    assertThat(failure.message()).isEqualTo("HTTP 429");
  }

  /** Go's server, for one, rejects a request without TLS by a sentence. */
  @Test
  void quotesASentenceInsteadOfAStatus() {
    String sentence = "Client sent an HTTP request to an HTTPS server.";
    assertThat(read((sentence + "\n").getBytes(StandardCharsets.UTF_8), 3, Map.of()).message())
        .endsWith(": " + sentence);
    for (String other : List.of("<p>no</p>", "two\nlines", "x".repeat(201), "{\"half\":")) {
      assertThat(read(other.getBytes(StandardCharsets.UTF_8), 3, Map.of()).message())
          .endsWith(": the body is not a Status of an API server");
    }
  }

  /** The line of a log that quotes a message ends with a character, and not within one. */
  @Test
  void cutsALongMessageBetweenCharacters() {
    for (int before = 0; before < 4; before++) {
      String message =
          FeedFailure.of(Reason.OTHER, "x".repeat(before) + "😀".repeat(400)).message();
      assertThat(message).hasSizeLessThanOrEqualTo(512).endsWith("😀...");
      assertThat(message.codePoints().noneMatch(c -> c >= 0xD800 && c <= 0xDFFF)).isTrue();
    }
  }
}
