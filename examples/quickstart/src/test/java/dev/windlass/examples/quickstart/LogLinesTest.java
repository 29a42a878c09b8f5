// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The lines of the logback.xml that docs/getting-started.md recommends. */
final class LogLinesTest {

  private final LoggerContext context = new LoggerContext();
  private PatternLayoutEncoder encoder;

  @BeforeEach
  void readsTheFile() throws Exception {
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(Path.of("src/main/resources/logback.xml").toFile());
    OutputStreamAppender<ILoggingEvent> appender =
        (OutputStreamAppender<ILoggingEvent>)
            context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("terminal");
    encoder = (PatternLayoutEncoder) appender.getEncoder();
  }

  private List<String> lines(String message, Throwable thrown) {
    LoggingEvent event =
        new LoggingEvent(
            "test", context.getLogger("test"), Level.ERROR, message, thrown, new Object[0]);
    event.setThreadName("worker");
    return new String(encoder.encode(event), StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void containTheMessageOfAFailureOnce() {
    for (String message : List.of("no quota", "no quota.", "(no) [quota] $1 \\1")) {
      String said = message.replaceAll("\\.$", "");
      List<String> lines =
          lines(
              "error syncing 'default/a': " + said + ", requeuing in 5 ms (attempt 2)",
              new IllegalStateException(message, new IllegalArgumentException("the limit is 3")));
      assertThat(lines.get(0))
          .endsWith(
              " ERROR [worker] error syncing 'default/a': "
                  + said
                  + ", requeuing in 5 ms (attempt 2)");
      assertThat(lines.get(1)).isEqualTo("java.lang.IllegalStateException");
      assertThat(lines.get(2)).startsWith("\tat " + LogLinesTest.class.getName());
      assertThat(lines).contains("Caused by: java.lang.IllegalArgumentException: the limit is 3");
    }
  }

  /** A failure of the client shows where the program called it. */
  @Test
  void showTheFramesOfTheProgram() {
    IllegalStateException failure = new IllegalStateException("no quota");
    failure.setStackTrace(
        new StackTraceElement[] {
          frame("dev.windlass.client.RestClient"),
          frame("io.fabric8.kubernetes.client.dsl.internal.BaseOperation"),
          frame("java.base/java.util.ArrayList"),
          frame("com.example.Parts"),
          frame("com.example.Quickstart"),
          frame("dev.windlass.controller.Controller"),
        });
    assertThat(lines("It failed: no quota", failure).subList(1, 5))
        .containsExactly(
            "java.lang.IllegalStateException",
            "\tat com.example.Parts.call(File.java:1) [3 skipped]",
            "\tat com.example.Quickstart.call(File.java:1)",
            " [1 skipped]");
  }

  private static StackTraceElement frame(String type) {
    return new StackTraceElement(type, "call", "File.java", 1);
  }

  @Test
  void includeThoseOfTheProgramItself() {
    assertThat(context.getLogger(Quickstart.class).isInfoEnabled()).isTrue();
    assertThat(context.getLogger("com.example.other").isInfoEnabled()).isFalse();
  }

  @Test
  void keepAMessageThatIsNotInTheLine() {
    assertThat(lines("It failed", new IllegalStateException("no quota")).get(1))
        .isEqualTo("java.lang.IllegalStateException: no quota");
    assertThat(lines("It failed: NullPointerException", new NullPointerException()).get(1))
        .isEqualTo("java.lang.NullPointerException: null");
    assertThat(lines("It failed", null)).hasSize(1);
  }

  /** A long line must not occupy the processor. */
  @Test
  @Timeout(30)
  void areFormattedInTimeHoweverLong() {
    String most = "a: ".repeat(3_000);
    assertThat(lines(most, new IllegalStateException("b" + most))).hasSizeGreaterThan(2);
    assertThat(lines(most, new IllegalStateException(most + "b"))).hasSizeGreaterThan(2);
  }
}
