// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.KeyValuePair;

/**
 * Encodes each log line as a JSON object for log collectors. The object contains, in this order:
 *
 * <ul>
 *   <li>{@code ts}, {@code level}, {@code logger} and {@code msg}, named as in zap;
 *   <li>the fields of the line;
 *   <li>the fields of the reconcile (object, controller and run), from SLF4J's MDC;
 *   <li>{@code thread};
 *   <li>{@code error} and {@code stacktrace}, if the line has an exception.
 * </ul>
 *
 * <p>All values are strings, except integers and booleans among the fields. Names are unique: a
 * field whose name clashes with one of the fixed names gets a trailing underscore.
 *
 * <p>This class replaces logback's own encoder, which nests fields in a list of objects with one
 * field each. Few tools can query such a list. {@code --log-format=json} selects this class. You
 * can also use it as an appender's encoder in a {@code logback.xml}. This class is thread-safe.
 */
public final class JsonLines extends EncoderBase<ILoggingEvent> {

  private static final Set<String> OURS =
      Set.of("ts", "level", "logger", "msg", "thread", "error", "stacktrace");

  private static final byte[] NOTHING = {};

  /** Creates an encoder. */
  public JsonLines() {}

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return (line(event) + '\n').getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  private static String line(ILoggingEvent event) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("ts", TextLines.TIME.format(Instant.ofEpochMilli(event.getTimeStamp())));
    values.put("level", event.getLevel());
    values.put("logger", event.getLoggerName());
    values.put("msg", event.getFormattedMessage());
    List<KeyValuePair> pairs = event.getKeyValuePairs();
    if (pairs != null) {
      pairs.forEach(pair -> add(values, String.valueOf(pair.key), pair.value));
    }
    event.getMDCPropertyMap().forEach((key, value) -> add(values, key, value));
    values.put("thread", event.getThreadName());
    IThrowableProxy thrown = event.getThrowableProxy();
    if (thrown != null) {
      String message = thrown.getMessage();
      values.put(
          "error",
          TraceLines.withItsOwnClass(
              thrown.getClassName() + (message == null ? "" : ": " + message)));
      values.put("stacktrace", TraceLines.withItsOwnClass(ThrowableProxyUtil.asString(thrown)));
    }
    return values.entrySet().stream()
        .map(entry -> JsonString.of(entry.getKey()) + ":" + json(entry.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  /**
   * Adds a field unless its name is already present. A field of the line therefore takes precedence
   * over a field of the reconcile.
   */
  private static void add(
      Map<String, @Nullable Object> values, String key, @Nullable Object value) {
    values.putIfAbsent(OURS.contains(key) ? key + "_" : key, value);
  }

  private static String json(@Nullable Object value) {
    return value instanceof Integer || value instanceof Long || value instanceof Boolean
        ? value.toString()
        : JsonString.of(String.valueOf(value));
  }
}
