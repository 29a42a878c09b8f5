// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** The lines of the log for machines. */
final class JsonLinesTest {

  /** Refuses a name that comes twice. */
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION).build();

  private static String line(LoggingEvent event) {
    return new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
  }

  private static JsonNode read(LoggingEvent event) throws JsonProcessingException {
    return JSON.readTree(line(event));
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void areAnObjectEachWithAllThatTheLineCarries() throws Exception {
    LoggingEvent event =
        Events.of(
            Map.of("reconcileId", "17"),
            "Received request",
            new KeyValuePair("hello", "default/hello-sample"),
            new KeyValuePair("attempt", 3),
            new KeyValuePair("last", true));
    assertThat(line(event)).endsWith("}\n").doesNotContain("\n{");
    JsonNode line = read(event);
    assertThat(names(line))
        .containsExactly(
            "ts", "level", "logger", "msg", "hello", "attempt", "last", "reconcileId", "thread");
    assertThat(line.get("ts").asText()).matches("[0-9-]{10}T[0-9:]{8}\\.\\d{3}[+-]\\d{4}");
    assertThat(line.get("level").asText()).isEqualTo("INFO");
    assertThat(line.get("logger").asText()).isEqualTo("controllers.Hello");
    assertThat(line.get("msg").asText()).isEqualTo("Received request");
    assertThat(line.get("hello").asText()).isEqualTo("default/hello-sample");
    assertThat(line.get("attempt").isInt()).isTrue();
    assertThat(line.get("last").isBoolean()).isTrue();
    assertThat(line.get("reconcileId").asText()).isEqualTo("17");
    assertThat(line.get("thread").asText()).isEqualTo("hello-worker-1");
  }

  @Test
  void keepApartWhatHasTheSameName() throws Exception {
    LoggingEvent event =
        Events.of(
            Map.of("controller", "of the reconcile"),
            "m",
            new KeyValuePair("msg", "mine"),
            new KeyValuePair("controller", "of the line"),
            new KeyValuePair("nothing", null));
    JsonNode line = read(event);
    assertThat(line.get("msg").asText()).isEqualTo("m");
    assertThat(line.get("msg_").asText()).isEqualTo("mine");
    assertThat(line.get("controller").asText()).isEqualTo("of the line");
    assertThat(line.get("nothing").asText()).isEqualTo("null");
  }

  @Test
  void carryWhatOthersWroteUnchangedAndOnOneLine() throws Exception {
    String hostile = "a\n\"}\\{\u001b[2J\u202e\u0085\u0000 \ud83d\ude00";
    LoggingEvent event = Events.of(hostile, new KeyValuePair(hostile, hostile));
    assertThat(line(event).strip()).doesNotContain("\n", "\u001b", "\u202e", "\u0085", "\u0000");
    assertThat(read(event).get("msg").asText()).isEqualTo(hostile);
    assertThat(read(event).get(hostile).asText()).isEqualTo(hostile);
  }

  @Test
  void haveTheWholeStackTraceOfAnException() throws Exception {
    Exception thrown = new IllegalStateException("outer", new IllegalArgumentException("inner"));
    JsonNode line = read(Events.of(Level.ERROR, "It failed", thrown));
    assertThat(line.get("error").asText()).isEqualTo("java.lang.IllegalStateException: outer");
    assertThat(line.get("stacktrace").asText().lines())
        .hasSizeGreaterThan(10)
        .anyMatch(each -> each.contains("JsonLinesTest"))
        .anyMatch(each -> each.equals("Caused by: java.lang.IllegalArgumentException: inner"));
  }
}
