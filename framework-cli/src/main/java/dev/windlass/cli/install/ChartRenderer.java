// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli.install;

import dev.windlass.object.ObjectKey;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Renders the templates of this package's charts in the same way as Helm. It supports only the
 * parts of the template language that these charts use: the actions {@code if}, {@code else},
 * {@code with}, {@code range} and {@code end}; fields and strings; the functions {@code toYaml} and
 * {@code .Files.Get}; and the filters {@code quote}, {@code nindent}, {@code toString} and {@code
 * trunc}.
 *
 * <p>This class is not thread-safe.
 */
final class ChartRenderer {

  /**
   * Matches an action. Quoted strings in the action may contain braces. Group 1 is the dash that
   * trims the white space before the action.
   */
  private static final Pattern ACTION =
      Pattern.compile("\\{\\{(-?)\\s*((?:\"[^\"]*\"|[^\"}])*?)\\s*}}");

  private record Token(String text, boolean isAction) {}

  private final Map<String, Object> fields;
  private final Map<String, String> files;
  private final List<Token> tokens = new ArrayList<>();
  private final StringBuilder out = new StringBuilder();
  private int next;

  private ChartRenderer(String template, Map<String, Object> fields, Map<String, String> files) {
    this.fields = fields;
    this.files = files;
    Matcher action = ACTION.matcher(template);
    int end = 0;
    while (action.find()) {
      String before = template.substring(end, action.start());
      tokens.add(new Token(action.group(1).isEmpty() ? before : before.stripTrailing(), false));
      tokens.add(new Token(action.group(2), true));
      end = action.end();
    }
    tokens.add(new Token(template.substring(end), false));
  }

  /**
   * Returns the rendered text of a template.
   *
   * @param values the chart's values
   * @param release the name and the namespace of the release
   * @param files the files of the chart
   */
  static String render(
      String template, Map<String, Object> values, ObjectKey release, Map<String, String> files) {
    Map<String, Object> fields =
        Map.of(
            "Values",
            values,
            "Release",
            Map.of("Name", release.name(), "Namespace", release.namespace()));
    ChartRenderer renderer = new ChartRenderer(template, fields, files);
    renderer.block(fields, true);
    return renderer.out.toString();
  }

  /**
   * Renders the tokens of a block, up to the {@code else} or {@code end} that closes it.
   *
   * @param dot the value of {@code .} in the block
   * @param visible whether the block is part of the output
   * @return {@code else} or {@code end}, or an empty string at the end of the template
   */
  private String block(@Nullable Object dot, boolean visible) {
    while (next < tokens.size()) {
      Token token = tokens.get(next++);
      if (!token.isAction()) {
        out.append(visible ? token.text() : "");
        continue;
      }
      String word = token.text().split(" ", 2)[0];
      String rest = token.text().substring(word.length()).strip();
      switch (word) {
        case "else", "end" -> {
          return word;
        }
        case "if" -> choose(dot, dot, visible, rest);
        case "with" -> choose(dot, visible ? value(rest, dot) : null, visible, rest);
        case "range" -> repeat(visible ? value(rest, dot) : null);
        default -> out.append(visible ? String.valueOf(value(token.text(), dot)) : "");
      }
    }
    return "";
  }

  private void choose(
      @Nullable Object dot, @Nullable Object inner, boolean visible, String condition) {
    boolean met = visible && isTrue(value(condition, dot));
    if (block(inner, met).equals("else")) {
      block(dot, visible && !met);
    }
  }

  private void repeat(@Nullable Object items) {
    int start = next;
    if (items instanceof Collection<?> all && !all.isEmpty()) {
      for (Object item : all) {
        next = start;
        block(item, true);
      }
    } else {
      block(null, false);
    }
  }

  private static boolean isTrue(@Nullable Object value) {
    return value != null
        && !value.equals(false)
        && !value.equals("")
        && !value.equals(0)
        && !(value instanceof Collection<?> items && items.isEmpty())
        && !(value instanceof Map<?, ?> entries && entries.isEmpty());
  }

  private @Nullable Object value(String expression, @Nullable Object dot) {
    String[] stages = expression.split(" \\| ", -1);
    Object value = operand(stages[0], dot);
    for (int i = 1; i < stages.length; i++) {
      value = filtered(String.valueOf(value), stages[i].split(" ", -1));
    }
    return value;
  }

  /**
   * Applies a filter. The array contains the filter's name and, for some filters, a number as its
   * argument.
   */
  private static String filtered(String text, String[] filter) {
    return switch (filter[0]) {
      case "quote" -> Serialization.asJson(text);
      case "toString" -> text;
      case "trunc" -> text.substring(0, Math.min(text.length(), Integer.parseInt(filter[1])));
      case "nindent" -> indented(text, Integer.parseInt(filter[1]));
      default -> throw new IllegalArgumentException("there is no filter " + filter[0]);
    };
  }

  private static String indented(String text, int width) {
    String indent = "\n" + " ".repeat(width);
    return indent + text.replace("\n", indent);
  }

  private @Nullable Object operand(String text, @Nullable Object dot) {
    if (text.startsWith("\"")) {
      return text.substring(1, text.length() - 1);
    }
    if (text.startsWith("toYaml ")) {
      Object value = operand(text.substring("toYaml ".length()), dot);
      return Serialization.asYaml(value).replaceFirst("^---\\s", "").stripTrailing();
    }
    if (text.startsWith(".Files.Get ")) {
      return files.get(String.valueOf(operand(text.substring(".Files.Get ".length()), dot)));
    }
    if (text.equals(".")) {
      return dot;
    }
    Object value = fields;
    for (String name : text.substring(1).split("\\.", -1)) {
      if (!(value instanceof Map<?, ?> map) || !map.containsKey(name)) {
        throw new IllegalArgumentException("the chart has no field " + text);
      }
      value = map.get(name);
    }
    return value;
  }
}
