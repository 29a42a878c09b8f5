// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A difference between the responses of the two servers to an operation.
 *
 * @param path the JSON pointer to the value that differs
 */
record Difference(Operation operation, String path, JsonNode real, JsonNode embedded) {

  /** Adds all differences, beginning with the status code. */
  static void find(
      Operation operation, String path, JsonNode real, JsonNode embedded, List<Difference> found) {
    if (real instanceof ObjectNode && embedded instanceof ObjectNode) {
      if (!real.path("code").equals(embedded.path("code"))) {
        found.add(new Difference(operation, path + "/code", real, embedded));
        return;
      }
      Set<String> names = new TreeSet<>();
      real.fieldNames().forEachRemaining(names::add);
      embedded.fieldNames().forEachRemaining(names::add);
      if (isStatusOrCause(real)) {
        names.remove("message"); // the embedded server has words of its own
      }
      names.forEach(
          name -> find(operation, path + "/" + name, real.path(name), embedded.path(name), found));
    } else if (real.isArray() && embedded.isArray() && real.size() == embedded.size()) {
      for (int i = 0; i < real.size(); i++) {
        find(operation, path + "/" + i, real.path(i), embedded.path(i), found);
      }
    } else if (!real.equals(embedded)) {
      found.add(new Difference(operation, path, real, embedded));
    }
  }

  /** Returns whether an object is a status of a request, or one of the causes in it. */
  static boolean isStatusOrCause(JsonNode object) {
    return object.path("kind").asText().equals("Status")
        || (object.has("message") && !object.has("kind") && !object.has("type"));
  }

  /** Returns whether the servers disagree on the success of the operation. */
  boolean isInCode() {
    return path.equals("/code");
  }

  /** Returns a text that equals that of the same difference in other sequences. */
  String signature() {
    String reason =
        isInCode() ? real.at("/body/message").asText().replaceAll("\"[^\"]*\"", "") : "";
    return operation.summary() + " " + path.replaceAll("/\\d+", "/*") + " " + reason;
  }

  @Override
  public String toString() {
    return "%s | %s | %s | %s".formatted(operation, path, real, embedded);
  }
}
