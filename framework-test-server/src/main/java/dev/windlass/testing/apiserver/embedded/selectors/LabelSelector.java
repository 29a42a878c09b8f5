// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.selectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A label selector. All requirements must hold. Without requirements, all objects match. */
record LabelSelector(List<Requirement> requirements) {
  private static final Pattern SET =
      Pattern.compile("(?<key>[^\\s!=(),]+)\\s+(?<op>in|notin)\\s*\\((?<values>[^)]*)\\)");
  private static final Pattern EQUALITY =
      Pattern.compile("(?<key>[^\\s!=(),]+)\\s*(?<op>!=|==|=)\\s*(?<values>[^\\s!=(),]*)");
  private static final Pattern EXISTENCE = Pattern.compile("(?<op>!?)\\s*(?<key>[^\\s!=(),]+)");

  /** A pattern that matches a comma outside of parentheses. */
  private static final Pattern SEPARATOR = Pattern.compile(",(?![^(]*\\))");

  LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /** A requirement for one label. */
  private record Requirement(String key, boolean wanted, boolean anyValue, Set<String> values) {

    boolean matches(JsonNode labels) {
      JsonNode value = labels.get(key);
      boolean holds = value != null && (anyValue || values.contains(value.asText()));
      return holds == wanted;
    }
  }

  /** Parses the syntax of {@code labelSelector=}. Rejects invalid syntax with 400. */
  static LabelSelector parse(String text) {
    List<Requirement> requirements = new ArrayList<>();
    if (!text.isBlank()) {
      for (String part : SEPARATOR.split(text, -1)) {
        requirements.add(requirement(text, part.trim()));
      }
    }
    return new LabelSelector(requirements);
  }

  private static Requirement requirement(String text, String part) {
    Matcher set = SET.matcher(part);
    if (set.matches()) {
      Set<String> values =
          Arrays.stream(set.group("values").split(",", -1))
              .map(String::trim)
              .collect(Collectors.toUnmodifiableSet());
      return new Requirement(set.group("key"), set.group("op").equals("in"), false, values);
    }
    Matcher equality = EQUALITY.matcher(part);
    if (equality.matches()) {
      boolean wanted = !equality.group("op").equals("!=");
      return new Requirement(
          equality.group("key"), wanted, false, Set.of(equality.group("values")));
    }
    Matcher existence = EXISTENCE.matcher(part);
    if (existence.matches()) {
      return new Requirement(
          existence.group("key"), existence.group("op").isEmpty(), true, Set.of());
    }
    throw StatusException.badRequest(
        "unable to parse requirement: found '%s' in label selector '%s'".formatted(part, text));
  }

  boolean matches(ObjectNode object) {
    JsonNode labels = object.path("metadata").path("labels");
    return requirements.stream().allMatch(requirement -> requirement.matches(labels));
  }
}
