// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.windlass.logging.OneLine;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes log lines in a human-readable format. Each line consists of columns separated by tabs:
 * the time, the level, the logger, the message, and a JSON object with the key-value pairs. Line
 * breaks and control characters in external text are escaped. On a terminal, the level is coloured
 * unless {@code NO_COLOR} is set.
 *
 * <p>If the event has an exception, the exception and each of its causes follow on separate lines.
 * By default, each of them is printed with one stack frame. Set {@code WINDLASS_LOG_TRACES=full} to
 * print all frames. To use this class, declare it in a {@code logback.xml}:
 *
 * <pre>{@code
 * <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
 *   <target>System.err</target>
 *   <encoder class="dev.windlass.cli.TextLines"/>
 * </appender>
 * }</pre>
 *
 * <p>This class is thread-safe.
 */
public final class TextLines extends EncoderBase<ILoggingEvent> {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ").withZone(ZoneId.systemDefault());

  private static final String PLAIN = "\u001b[0m";

  private static final String CONTROLLER = "controller";

  private static final byte[] NOTHING = {};

  private final boolean coloured;
  private final TraceLines traces;

  /** Creates an encoder for log lines that this process writes to standard error. */
  public TextLines() {
    this(
        Terminal.ofLogs().isColoured(),
        Logs.FULL_TRACES.equals(System.getenv("WINDLASS_LOG_TRACES")));
  }

  TextLines(boolean coloured, boolean fullTraces) {
    this.coloured = coloured;
    this.traces = new TraceLines(fullTraces);
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String line =
        TIME.format(Instant.ofEpochMilli(event.getTimeStamp()))
            + '\t'
            + level(event.getLevel())
            + '\t'
            + event.getLoggerName()
            + '\t'
            + OneLine.of(String.valueOf(event.getFormattedMessage()))
            + fields(event)
            + '\n'
            + traces.of(event);
    return line.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  /**
   * Returns a tab, followed by the key-value pairs as one JSON object, such as {@code {"hello":
   * "default/hello-sample"}}. In a reconcile, a line without pairs has the controller's name. The
   * result is empty otherwise.
   */
  private static String fields(ILoggingEvent event) {
    List<KeyValuePair> pairs =
        new ArrayList<>(Objects.requireNonNullElse(event.getKeyValuePairs(), List.of()));
    String controller = event.getMDCPropertyMap().get(CONTROLLER);
    if (controller != null && pairs.isEmpty()) {
      pairs.add(new KeyValuePair(CONTROLLER, controller));
    }
    return pairs.isEmpty()
        ? ""
        : pairs.stream()
            .map(pair -> quoted(pair.key) + ": " + quoted(String.valueOf(pair.value)))
            .collect(Collectors.joining(", ", "\t{", "}"));
  }

  /**
   * Returns a JSON string. Escapes all characters that could break the line or change the state of
   * the terminal.
   */
  private static String quoted(String text) {
    return '"' + OneLine.of(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  private String level(Level level) {
    return coloured ? colour(level) + level + PLAIN : level.toString();
  }

  /**
   * Returns the colour for a level. The colours are those of zap, the logger of controller-runtime.
   */
  private static String colour(Level level) {
    return switch (level.toInt()) {
      case Level.ERROR_INT -> "\u001b[31m";
      case Level.WARN_INT -> "\u001b[33m";
      case Level.INFO_INT -> "\u001b[34m";
      default -> "\u001b[35m";
    };
  }
}
