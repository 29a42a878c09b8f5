// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import dev.windlass.logging.OneLine;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes records as human-readable JSON. Each instance is used once. */
final class JsonText {

  private static final double NANOS = 1e9;

  private final StringBuilder out = new StringBuilder();
  private int depth;

  /** Returns a record of this package as JSON over several lines. */
  String of(Record value) {
    write(value);
    return out.append('\n').toString();
  }

  private void write(@Nullable Object value) {
    if (value instanceof Record whole) {
      writeObject(components(whole));
    } else if (value instanceof Map<?, ?> map) {
      Map<String, Object> entries = new LinkedHashMap<>();
      map.forEach((key, each) -> entries.put(String.valueOf(key), each));
      writeObject(entries);
    } else if (value instanceof Collection<?> list) {
      writeList(list);
    } else if (value instanceof Duration time) {
      out.append(Math.round(time.toNanos() / NANOS * 1000) / 1000.0);
    } else if (value instanceof Number || value instanceof Boolean) {
      out.append(value);
    } else {
      writeText(String.valueOf(value));
    }
  }

  /** Unwraps each Optional, and omits empty ones. */
  private static Map<String, Object> components(Record whole) {
    Map<String, Object> components = new LinkedHashMap<>();
    for (RecordComponent component : whole.getClass().getRecordComponents()) {
      Object value = valueOf(whole, component);
      if (value instanceof Optional<?> maybe) {
        maybe.ifPresent(held -> components.put(component.getName(), held));
      } else {
        components.put(component.getName(), value);
      }
    }
    return components;
  }

  private static Object valueOf(Record whole, RecordComponent component) {
    try {
      return component.getAccessor().invoke(whole);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("the records of this package are public", e);
    }
  }

  private void writeObject(Map<String, Object> entries) {
    out.append('{');
    depth++;
    boolean first = true;
    for (Map.Entry<String, Object> entry : entries.entrySet()) {
      newLine(first);
      first = false;
      writeText(entry.getKey());
      out.append(": ");
      write(entry.getValue());
    }
    end(first, '}');
  }

  private void writeList(Collection<?> list) {
    out.append('[');
    depth++;
    boolean first = true;
    for (Object each : list) {
      newLine(first);
      first = false;
      write(each);
    }
    end(first, ']');
  }

  private void newLine(boolean first) {
    out.append(first ? "\n" : ",\n").append("  ".repeat(depth));
  }

  private void end(boolean empty, char bracket) {
    depth--;
    if (!empty) {
      out.append('\n').append("  ".repeat(depth));
    }
    out.append(bracket);
  }

  /**
   * Escapes characters that would do harm in a terminal twice, because people will display the text
   * in one.
   */
  private void writeText(String text) {
    out.append('"');
    OneLine.of(text)
        .chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                out.append('\\');
              }
              out.append((char) c);
            });
    out.append('"');
  }
}
