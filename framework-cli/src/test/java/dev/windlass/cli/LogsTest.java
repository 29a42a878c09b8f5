// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.event.KeyValuePair;

/** What the log of a program looks like, by default and with options. */
final class LogsTest {

  private static final org.slf4j.event.Level WARN = org.slf4j.event.Level.WARN;

  private final LoggerContext context = new LoggerContext();
  private final Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);

  private LogsTest() {
    configure();
  }

  private void configure() {
    DefaultLogging logging = new DefaultLogging();
    logging.setContext(context);
    assertThat(logging.configure(context)).isEqualTo(ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY);
  }

  private void apply(
      org.slf4j.event.@Nullable Level level, @Nullable LogFormat format, String... debug) {
    LogbackOptions.apply(new Logs(level, format, List.of(debug)), context);
  }

  private ConsoleAppender<ILoggingEvent> console() {
    return (ConsoleAppender<ILoggingEvent>) root.getAppender("console");
  }

  private Encoder<ILoggingEvent> encoder() {
    return console().getEncoder();
  }

  @Test
  void isTextOfLevelInfoWithoutTheClientsOwnLines() {
    assertThat(encoder()).isInstanceOf(TextLines.class);
    assertThat(console().isStarted()).isTrue();
    assertThat(console().getTarget()).isEqualTo("System.err");
    assertThat(context.getLogger("com.example").getEffectiveLevel()).isEqualTo(Level.INFO);
    assertThat(context.getLogger("io.fabric8.client").getEffectiveLevel()).isEqualTo(Level.ERROR);
  }

  @Test
  void staysAsItIsConfiguredIfNoOptionIsGiven() {
    Encoder<ILoggingEvent> before = encoder();
    apply(null, null);
    assertThat(encoder()).isSameAs(before);
    assertThat(root.getLevel()).isEqualTo(Level.INFO);
  }

  @Test
  void isThatOfTheConfigurationFileIfThereIsOne(@TempDir Path folder) throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("logback.xml"), "<configuration><root level='TRACE'/></configuration>");
    System.setProperty("logback.configurationFile", file.toString());
    try {
      context.reset();
      configure();
    } finally {
      System.clearProperty("logback.configurationFile");
    }
    assertThat(root.getLevel()).isEqualTo(Level.TRACE);
    assertThat(root.getAppender("console")).isNull();
  }

  @Test
  void hasTheFormatAndTheLevelOfTheOptions() {
    apply(WARN, LogFormat.JSON, "com.example.Loud");
    assertThat(encoder()).isInstanceOf(JsonEncoder.class);
    assertThat(encoder().isStarted()).isTrue();
    assertThat(console().isStarted()).isTrue();
    assertThat(context.getLogger("dev.windlass.x").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("com.example").getEffectiveLevel()).isEqualTo(Level.WARN);
    assertThat(context.getLogger("com.example.Loud").getLevel()).isEqualTo(Level.DEBUG);
    apply(null, LogFormat.TEXT);
    assertThat(encoder()).isInstanceOf(TextLines.class);
  }

  /** What the guide names, and nothing that could break a line. */
  @Test
  void hasOneJsonObjectForEachEvent() throws IOException {
    apply(null, LogFormat.JSON);
    String broken = "a\n\"}\\{\r\u001b[2J\u0000\u009b2J\u202e\ud83d\ude00";
    Exception thrown =
        new IllegalStateException(broken, new IllegalArgumentException("inner\n" + broken));
    LoggingEvent event =
        Events.of(
            Map.of("controller", "hello"),
            Level.ERROR,
            broken,
            thrown,
            new KeyValuePair(broken, broken));
    String line = new String(encoder().encode(event), StandardCharsets.UTF_8);
    assertThat(line).endsWith("}\n");
    assertThat(line.strip()).doesNotContain("\n", "\r", "\u001b", "\u0000", "\u009b", "\u202e");
    JsonNode json = new ObjectMapper().readTree(line);
    List<String> names = new ArrayList<>();
    json.fieldNames().forEachRemaining(names::add);
    assertThat(names)
        .containsExactly(
            "timestamp",
            "level",
            "threadName",
            "loggerName",
            "mdc",
            "kvpList",
            "formattedMessage",
            "throwable");
    assertThat(json.at("/formattedMessage").asText()).isEqualTo(broken);
    assertThat(json.at("/mdc/controller").asText()).isEqualTo("hello");
    assertThat(json.at("/kvpList/0").get(broken).asText()).isEqualTo(broken);
    assertThat(json.at("/throwable/message").asText()).isEqualTo(broken);
    assertThat(json.at("/throwable/cause/message").asText()).isEqualTo("inner\n" + broken);
  }

  /** The program's logback.xml may have another layout, which only an option replaces. */
  @Test
  void replacesTheLayoutOfTheProgram() {
    PatternLayoutEncoder pattern = new PatternLayoutEncoder();
    pattern.setContext(context);
    pattern.setPattern("%msg%n");
    pattern.start();
    console().setEncoder(pattern);
    apply(WARN, null);
    assertThat(encoder()).isSameAs(pattern);
    apply(null, LogFormat.TEXT);
    assertThat(encoder()).isInstanceOf(TextLines.class);
  }
}
