// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.tables;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Evaluates the JSON paths of printer columns. A path can select fields, list elements by index,
 * all elements of a list ({@code [*]}), and the elements with a given field value ({@code
 * [?(@.type=="Ready")]}).
 */
final class JsonPath {

  private static final Pattern STEP =
      Pattern.compile(
          "\\.?(?<field>(?:[\\w-]|\\\\\\.)+)|\\[['\"](?<quoted>[^'\"]+)['\"]]|\\[(?<index>\\d+)]"
              + "|\\[(?<all>\\*)]|\\[\\?\\(@\\.(?<key>[\\w.-]+)\\s*==\\s*['\"](?<value>[^'\"]*)['\"]\\)]");

  private JsonPath() {}

  /**
   * Returns the values at a path. The result is empty if the path does not exist or is not
   * supported.
   */
  static List<JsonNode> find(JsonNode root, String path) {
    List<JsonNode> found = List.of(root);
    Matcher step = STEP.matcher(path);
    int at = 0;
    while (at < path.length() && step.find(at) && step.start() == at) {
      List<JsonNode> next = new ArrayList<>();
      for (JsonNode node : found) {
        follow(node, step, next);
      }
      found = next;
      at = step.end();
    }
    return at == path.length() ? found : List.of();
  }

  private static void follow(JsonNode node, Matcher step, List<JsonNode> next) {
    String field = step.group("field") == null ? step.group("quoted") : step.group("field");
    if (field != null) {
      add(node.path(field.replace("\\.", ".")), next);
    } else if (step.group("index") != null) {
      add(node.path(Integer.parseInt(step.group("index"))), next);
    } else {
      for (JsonNode element : node) {
        if (step.group("all") != null
            || element.path(step.group("key")).asText().equals(step.group("value"))) {
          next.add(element);
        }
      }
    }
  }

  private static void add(JsonNode node, List<JsonNode> next) {
    if (!node.isMissingNode() && !node.isNull()) {
      next.add(node);
    }
  }
}
