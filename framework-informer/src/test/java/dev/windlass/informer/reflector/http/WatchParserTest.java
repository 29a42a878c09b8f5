// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import static dev.windlass.informer.reflector.FeedFailure.Reason.EXPIRED;
import static dev.windlass.informer.reflector.FeedFailure.Reason.FORBIDDEN;
import static dev.windlass.informer.reflector.FeedFailure.Reason.OTHER;
import static dev.windlass.informer.reflector.FeedFailure.Reason.SERVER_ERROR;
import static dev.windlass.informer.reflector.FeedFailure.Reason.THROTTLED;
import static dev.windlass.informer.reflector.FeedFailure.Reason.UNAUTHORIZED;
import static dev.windlass.informer.reflector.FeedFailure.Reason.UNKNOWN_TYPE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedFailure.Reason;
import dev.windlass.object.MalformedObjectException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchParserTest {

  private static final String WATCH =
      """
      {"type":"ADDED","object":{"a":"}\\"{","b":{}}}
      {"object":{"é":"ü😀"},"type":"MODIFIED"}\r

       \r
       {"x":{"type":"no"},"type" : "DELETED" , "object" : {"c":1} } \t
      {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"77"}}}
      """;

  private static final List<String> EVENTS =
      List.of(
          "added {\"a\":\"}\\\"{\",\"b\":{}}",
          "modified {\"é\":\"ü😀\"}",
          "deleted {\"c\":1} ",
          "bookmark 77",
          "ended");

  @Test
  void cutsEventsOutWhateverThePieces() {
    byte[] bytes = WATCH.getBytes(UTF_8);
    for (int pieces = 1; pieces <= bytes.length; pieces++) {
      assertThat(Feeds.parse(new WatchParser(), WATCH, pieces))
          .as("pieces of %d", pieces)
          .isEqualTo(EVENTS);
    }
    for (int split = 0; split <= bytes.length; split++) {
      assertThat(Feeds.parseSplitAt(new WatchParser(), WATCH, split))
          .as("split at %d", split)
          .isEqualTo(EVENTS);
    }
  }

  /** The resume delivers it again (docs/reliability.md, B1). */
  @Test
  void forgetsHalfALineAtTheEnd() {
    String half = WATCH + "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"half";
    assertThat(Feeds.parse(new WatchParser(), half, 7)).isEqualTo(EVENTS);
  }

  private static FeedFailure failure(String error) {
    List<FeedEvent> events = new ArrayList<>();
    new WatchParser()
        .accept(
            ByteBuffer.wrap(("{\"type\":\"ERROR\",\"object\":" + error + "}\n").getBytes(UTF_8)),
            events::add);
    assertThat(events).hasSize(1);
    return ((FeedEvent.Failed) events.get(0)).failure();
  }

  record Refusal(String status, Reason reason, String message, int retryAfter) {}

  static Stream<Refusal> errors() {
    return Stream.of(
        new Refusal(
            "{\"kind\":\"Status\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"too old resource version: 1 (5)\",\"reason\":\"Expired\",\"code\":410}",
            EXPIRED,
            "HTTP 410: too old resource version: 1 (5)",
            0),
        new Refusal(
            "{\"code\":429,\"details\":{\"retryAfterSeconds\":3,\"causes\":[{\"message\":\"no\"}]},\"message\":\"slow down\"}",
            THROTTLED,
            "HTTP 429: slow down",
            3),
        new Refusal(
            "{\"code\":503,\"details\":{\"retryAfterSeconds\":2},\"message\":\"busy\"}",
            THROTTLED,
            "HTTP 503: busy",
            2),
        new Refusal("{\"code\":503,\"message\":\"busy\"}", SERVER_ERROR, "HTTP 503: busy", 0),
        new Refusal("{\"code\":401}", UNAUTHORIZED, "HTTP 401", 0),
        new Refusal("{\"code\":403}", FORBIDDEN, "HTTP 403", 0),
        new Refusal("{\"code\":404}", UNKNOWN_TYPE, "HTTP 404", 0),
        new Refusal("{\"code\":418,\"message\":null}", OTHER, "HTTP 418", 0),
        // a body that is not a Status (docs/reliability.md, C8)
        new Refusal(
            "{\"kind\":\"Pod\",\"spec\":{\"code\":410,\"message\":\"no\"}}",
            SERVER_ERROR,
            "HTTP 500",
            0),
        new Refusal(
            "{\"code\":410,\"details\":{\"retryAfterSeconds\":-5}}", EXPIRED, "HTTP 410", 0));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void saysWhyTheServerEndsAWatch(Refusal c) {
    assertThat(failure(c.status()))
        .isEqualTo(new FeedFailure(c.reason(), c.message(), Duration.ofSeconds(c.retryAfter())));
  }

  /** It fails the watch and is never quoted (docs/reliability.md, C7, E2). */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "CANARY", "[]",
        "{}", "null",
        "<html>CANARY</html>", "{\"type\":\"CANARY\",\"object\":{}}",
        "{\"type\":\"ERROR\",\"object\":\"CANARY\"}", "{\"type\":\"ADD",
        "\ufffd\u0000", "{\"type\":\"ADDED\",\"object\":null}",
        "{\"type\":\"ADDED\",\"object\":\"CANARY\"}", "{\"type\":\"ADDED\"}",
        "{\"object\":{\"a\":\"CANARY\"}}", "{\"object\":{\"a\":\"CANARY\"",
        "{\"type\":5,\"object\":{}}", "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{CANARY}}}"
      })
  void refusesWhatIsNoEvent(String line) {
    assertThatThrownBy(
            () ->
                new WatchParser()
                    .accept(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)), event -> {}))
        .isInstanceOf(MalformedObjectException.class)
        .message()
        .doesNotContain("CANARY");
  }

  @Test
  void refusesALineThatIsTooLong() {
    WatchParser parser = new WatchParser();
    byte[] piece = new byte[1024 * 1024];
    Arrays.fill(piece, (byte) 'x');
    assertThatThrownBy(
            () -> {
              for (int i = 0; i <= 64; i++) {
                parser.accept(ByteBuffer.wrap(piece), event -> {});
              }
            })
        .isInstanceOf(MalformedObjectException.class);
  }
}
