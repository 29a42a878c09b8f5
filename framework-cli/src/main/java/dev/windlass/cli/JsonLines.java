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
 *   <li>{@code ts}, {@code level}, {@code logger} and {@code msg}, with the same names as in zap;
 *   <li>the key-value pairs of the line;
 *   <li>the entries of SLF4J's MDC, which identify the reconcile: object, controller and run;
 *   <li>{@code thread};
 *   <li>{@code error} and {@code stacktrace}, if the line has an exception.
 * </ul>
 *
 * <p>Integers and booleans in key-value pairs become JSON numbers and booleans. All other values
 * are strings. Each name occurs only once. If a key-value pair or an MDC entry has one of the names
 * above, an underscore is appended to its name.
 *
 * <p>The option {@code --log-format=json} selects this class. You can also use it as an appender's
 * encoder in a {@code logback.xml}. Logback's own JSON encoder writes the key-value pairs as a list
 * of objects, which few tools can query. This class is thread-safe.
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
   * Adds a field, unless a field with this name is already present. If the encoder itself uses the
   * name, the name gets an underscore as a suffix. The fields of the log line are added first, so
   * they take precedence over those of the MDC.
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
