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
 * Reads the resource files from which charts are generated. In these files, {@code @name@} is
 * replaced with a value. If a line consists of {@code @name@} only, and {@code name} is the name of
 * a block, the line is replaced with all lines of the block, each with the indentation of the
 * replaced line. A line that contains {@code @webhooks@} is omitted if the program has no webhooks.
 *
 * @param values the values, keyed by their names
 * @param blocks the lines of the blocks, keyed by the blocks' names
 * @param webhooks whether the program has webhooks
 */
record ChartSource(Map<String, String> values, Map<String, List<String>> blocks, boolean webhooks) {

  private static final String IF_WEBHOOKS = "@webhooks@";

  private static final Pattern NAME = Pattern.compile("@(\\w+)@");

  private static final Pattern BLOCK = Pattern.compile("( *)@(\\w+)@");

  /**
   * Returns the text of a resource file, such as {@code chart/values.yaml}, after all replacements.
   */
  String read(String file) {
    return text(file)
        .lines()
        .flatMap(line -> expand(line).lines())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Returns a template that Helm renders as the given text. */
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

  /** Returns the lines that replace the given line. The result is empty if the line is omitted. */
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
