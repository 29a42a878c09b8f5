// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the files from which charts are created. In these files, {@code @name@} stands for a value.
 * If a line contains only {@code @name@}, and {@code name} is the name of a block, the line stands
 * for all lines of the block, each indented like this line. A line with {@code @webhooks@} is part
 * of the chart only if the program has webhooks.
 *
 * @param values the value of each name
 * @param blocks the lines of each block
 * @param webhooks whether the program has webhooks
 */
record ChartSource(Map<String, String> values, Map<String, List<String>> blocks, boolean webhooks) {

  private static final String IF_WEBHOOKS = "@webhooks@";

  private static final Pattern NAME = Pattern.compile("@(\\w+)@");

  private static final Pattern BLOCK = Pattern.compile("( *)@(\\w+)@");

  /** Returns a resource file, such as {@code chart/values.yaml}, with all values inserted. */
  String read(String file) {
    return text(file)
        .lines()
        .flatMap(line -> expand(line).lines())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Returns template text that Helm renders as the given string. */
  static String literal(String text) {
    return text.replace("{{", "{{ \"{{\" }}");
  }

  /** Returns a resource file unchanged. */
  static String text(String file) {
    try (InputStream in = ChartSource.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the lines that replace a line; an empty string for none. */
  private String expand(String line) {
    if (line.isEmpty()) {
      return "\n";
    }
    if (line.contains(IF_WEBHOOKS)) {
      return webhooks ? filled(line.replace(IF_WEBHOOKS, "")) : "";
    }
    Matcher block = BLOCK.matcher(line);
    if (block.matches() && blocks.containsKey(block.group(2))) {
      return blocks.get(block.group(2)).stream()
          .map(text -> block.group(1) + text)
          .collect(Collectors.joining("\n"));
    }
    return filled(line);
  }

  private String filled(String line) {
    Function<String, String> value =
        name -> {
          String found = values.get(name);
          if (found == null) {
            throw new IllegalStateException("no value for @" + name + "@ in: " + line);
          }
          return found;
        };
    return NAME.matcher(line)
        .replaceAll(match -> Matcher.quoteReplacement(value.apply(match.group(1))));
  }
}
