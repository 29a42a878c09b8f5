// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The function {@code <string>.format(list)} from CEL's strings extension library. */
final class StringFormat {
  private static final Pattern CLAUSE = Pattern.compile("%(?:\\.(\\d+))?([%sdfebxXo])");

  private StringFormat() {}

  static CelLibrary library() {
    return new CelLibrary()
        .method(
            "format",
            SimpleType.STRING,
            List.of(SimpleType.STRING, ListType.create(SimpleType.DYN)),
            args -> format((String) args[0], (List<?>) args[1]));
  }

  private static String format(String text, List<?> values) {
    Iterator<?> next = values.iterator();
    Matcher matcher = CLAUSE.matcher(text);
    StringBuilder result = new StringBuilder();
    int end = 0;
    while (matcher.find()) {
      result.append(text.substring(end, matcher.start()));
      end = matcher.end();
      char verb = matcher.group(2).charAt(0);
      if (verb == '%') {
        result.append('%');
        continue;
      }
      if (!next.hasNext()) {
        throw new IllegalArgumentException("index " + values.size() + " out of range");
      }
      int digits = matcher.group(1) == null ? 6 : Integer.parseInt(matcher.group(1));
      result.append(formatted(verb, digits, next.next()));
    }
    return result.append(text.substring(end)).toString();
  }

  private static String formatted(char verb, int digits, Object value) {
    return switch (verb) {
      case 'f' -> String.format(Locale.ROOT, "%." + digits + "f", ((Number) value).doubleValue());
      case 'e' -> String.format(Locale.ROOT, "%." + digits + "e", ((Number) value).doubleValue());
      case 'b' ->
          value instanceof Boolean flag
              ? (flag ? "1" : "0")
              : Long.toBinaryString(((Number) value).longValue());
      case 'o' -> Long.toOctalString(((Number) value).longValue());
      case 'x' -> hex(value);
      case 'X' -> hex(value).toUpperCase(Locale.ROOT);
      default -> shown(value);
    };
  }

  private static String hex(Object value) {
    return value instanceof String text
        ? HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8))
        : Long.toHexString(((Number) value).longValue());
  }

  private static String shown(Object value) {
    if (value instanceof List<?> list) {
      StringJoiner joined = new StringJoiner(", ", "[", "]");
      list.forEach(item -> joined.add(shown(item)));
      return joined.toString();
    } else if (value instanceof Map<?, ?> map) {
      StringJoiner joined = new StringJoiner(", ", "{", "}");
      map.forEach((key, item) -> joined.add(shown(key) + ": " + shown(item)));
      return joined.toString();
    } else if (value instanceof Double number && number == Math.rint(number)) {
      return Long.toString(number.longValue());
    }
    return String.valueOf(value);
  }
}
