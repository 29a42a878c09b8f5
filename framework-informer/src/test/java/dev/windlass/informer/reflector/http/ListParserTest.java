// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.object.MalformedObjectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ListParserTest {

  private static final String META =
      "\"metadata\":{\"resourceVersion\":\"42\",\"continue\":\"to\\\"ken\",\"remainingItemCount\":7}";

  record Case(String name, String json, List<String> events) {}

  private static Case list(String name, String json, String... events) {
    return new Case(name, json, List.of(events));
  }

  static Stream<Case> lists() {
    String nasty = "{\"items\":[{\"items\":\"]}{[\\\"items\\\":[\\\\\"}],\"a\":\"ü😀\"}";
    return Stream.of(
        list(
            "metadata before the items",
            "{\"kind\":\"PodList\"," + META + ",\"items\":[{\"a\":1},{\"b\":[2]}]}\n",
            "listed {\"a\":1}",
            "listed {\"b\":[2]}",
            "end 42/to\"ken"),
        list(
            "metadata after the items",
            "{\"items\":[{\"a\":1}],\"kind\":\"FooList\"," + META + "}",
            "listed {\"a\":1}",
            "end 42/to\"ken"),
        list(
            "spaces everywhere",
            " { \"items\" :\r\n [ {\"a\": 1} ,\t{ } ] , " + META + " } ",
            "listed {\"a\": 1}",
            "listed { }",
            "end 42/to\"ken"),
        list(
            "braces, quotes and items inside of items",
            "{" + META + ",\"items\":[" + nasty + "," + nasty + "]}",
            "listed " + nasty,
            "listed " + nasty,
            "end 42/to\"ken"),
        list(
            "other arrays, and items elsewhere",
            "{\"x\":[{\"items\":[{\"no\":1}]}],\"kind\":\"items\",\"y\":[{\"no\":2}],\"metadata\":"
                + "{\"items\":[{\"no\":3}],\"resourceVersion\":\"7\"},\"items\":[{\"a\":1}]}",
            "listed {\"a\":1}",
            "end 7/"),
        list(
            "keys that begin or end like it",
            "{\"item\":[{\"no\":1}],\"itemss\":[{\"no\":2}],\"xitems\":[{\"no\":3}],"
                + META
                + ",\"items\":[{\"a\":1}]}",
            "listed {\"a\":1}",
            "end 42/to\"ken"),
        list("an empty list", "{" + META + ",\"items\":[]}", "end 42/to\"ken"),
        list("null items", "{" + META + ",\"items\":null}", "end 42/to\"ken"));
  }

  @ParameterizedTest
  @MethodSource("lists")
  void cutsTheItemsOutWhateverThePieces(Case c) {
    int length = c.json().getBytes(StandardCharsets.UTF_8).length;
    assertThat(Feeds.parse(new ListParser(), c.json(), length)).isEqualTo(c.events());
    assertThat(Feeds.parse(new ListParser(), c.json(), 1)).isEqualTo(c.events());
    for (int split = 0; split <= length; split++) {
      assertThat(Feeds.parseSplitAt(new ListParser(), c.json(), split))
          .as("split at %d", split)
          .isEqualTo(c.events());
    }
  }

  /** A list is only applied whole: each of its prefixes ends in a failure. */
  @ParameterizedTest
  @MethodSource("lists")
  void failsWhereverItIsCutOff(Case c) {
    String whole = c.json().strip();
    byte[] bytes = whole.getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < bytes.length; length++) {
      ListParser parser = new ListParser();
      parser.accept(ByteBuffer.wrap(bytes, 0, length), event -> {});
      assertThat(Feeds.show(parser.end())).as("cut at %d", length).startsWith("failed MALFORMED");
    }
  }

  static Stream<Case> others() {
    return Stream.of(
        list("nothing", ""),
        list("an empty object", "{}"),
        list("null", "null"),
        list("a number", "1"),
        list("a text", "\"ok\""),
        list("an array", "[]"),
        list("a page of a balancer", "<html><body>Bad Gateway</body></html>"),
        list("a Status", "{\"kind\":\"Status\",\"metadata\":{},\"status\":\"Success\"}"),
        list(
            "one object",
            "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"4\"}}"),
        list("no version", "{\"metadata\":{},\"items\":[]}"),
        list("an empty version", "{\"metadata\":{\"resourceVersion\":\"\"},\"items\":[]}"),
        list("closing before opening", "}{"),
        list("items as a value", "{\"kind\":\"items\"," + META + "}"),
        list("items as the last value", "{" + META + ",\"kind\":\"items\"}"),
        list("items and then an array", "{" + META + ",\"kind\":\"items\",\"other\":[]}"),
        list("items that are an object", "{" + META + ",\"items\":{}}"),
        list("items that are a text", "{" + META + ",\"items\":\"none\"}"),
        list("items that are a number", "{" + META + ",\"items\":0}"),
        list("a missing comma", "{" + META + " \"items\":[]}"));
  }

  /** Only an empty list means "nothing exists" (docs/reliability.md, A12). */
  @ParameterizedTest
  @MethodSource("others")
  void doesNotTakeAnythingElseForAnEmptyList(Case c) {
    ListParser parser = new ListParser();
    byte[] bytes = c.json().getBytes(StandardCharsets.UTF_8);
    String end;
    try {
      parser.accept(ByteBuffer.wrap(bytes), event -> {});
      end = Feeds.show(parser.end());
    } catch (MalformedObjectException e) {
      return; // refused as well
    }
    assertThat(end).startsWith("failed MALFORMED");
  }

  @Test
  void refusesAnItemThatIsTooLarge() {
    ListParser parser = new ListParser();
    byte[] piece = new byte[1024 * 1024];
    Arrays.fill(piece, (byte) 'x');
    parser.accept(
        ByteBuffer.wrap("{\"items\":[{\"a\":\"".getBytes(StandardCharsets.UTF_8)), event -> {});
    assertThatThrownBy(
            () -> {
              for (int i = 0; i <= 64; i++) {
                parser.accept(ByteBuffer.wrap(piece), event -> {});
              }
            })
        .isInstanceOf(MalformedObjectException.class)
        .hasMessageContaining("more than 67108864 bytes");
  }
}
