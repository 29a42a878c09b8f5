// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The path of a field, as a sequence of {@code fieldsV1} tokens. The token {@code f:name}
 * identifies a member of an object, {@code k:{…}} identifies a list element by its key, and {@code
 * v:…} identifies a list element by its value.
 */
public record FieldPath(List<String> tokens) implements Comparable<FieldPath> {

  static final FieldPath ROOT = new FieldPath(List.of());

  public FieldPath {
    tokens = List.copyOf(tokens);
  }

  FieldPath then(String token) {
    List<String> longer = new ArrayList<>(tokens);
    longer.add(token);
    return new FieldPath(longer);
  }

  FieldPath member(String name) {
    return then("f:" + name);
  }

  /** Returns whether this path is the same as the other path or is below it. */
  public boolean isIn(FieldPath other) {
    return tokens.size() >= other.tokens.size()
        && tokens.subList(0, other.tokens.size()).equals(other.tokens);
  }

  /**
   * Compares paths in the order that structured-merge-diff uses. Below each field, the members at
   * which a path ends precede the members below which a path continues.
   */
  @Override
  public int compareTo(FieldPath other) {
    int shorter = Math.min(tokens.size(), other.tokens.size());
    for (int depth = 0; depth < shorter; depth++) {
      boolean ends = depth == tokens.size() - 1;
      if (ends != (depth == other.tokens.size() - 1)) {
        return ends ? -1 : 1;
      }
      int order = tokens.get(depth).compareTo(other.tokens.get(depth));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(tokens.size(), other.tokens.size());
  }

  /**
   * Returns the string that identifies this path in a conflict message, such as {@code
   * .spec.ports[port=80,protocol="TCP"].name}.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (String token : tokens) {
      String rest = token.substring(2);
      switch (token.charAt(0)) {
        case 'f' -> text.append('.').append(rest);
        case 'v' -> text.append("[=").append(rest).append(']');
        default -> {
          StringJoiner keys = new StringJoiner(",", "[", "]");
          JsonNode key = Json.parse(rest.getBytes(StandardCharsets.UTF_8));
          key.properties().forEach(field -> keys.add(field.getKey() + "=" + field.getValue()));
          text.append(keys);
        }
      }
    }
    return text.toString();
  }
}
