// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks the fields of one JSON object, and adds an error to a list for each violated rule. The
 * checks accept fields that are missing, unless stated otherwise.
 *
 * @param object the object; can be missing
 * @param path the field path of the object, for use in the errors; empty for a whole object
 */
public record FieldChecks(JsonNode object, String path, List<FieldError> errors) {

  private static final int HIGHEST_PORT = 65_535;

  /** Creates the checks of a whole object. */
  public static FieldChecks of(JsonNode object) {
    return new FieldChecks(object, "", new ArrayList<>());
  }

  /** Returns the checks of a nested object. */
  public FieldChecks in(String field) {
    return new FieldChecks(object.path(field), path(field), errors);
  }

  /** Returns the checks of each element of a list. */
  public List<FieldChecks> each(String field) {
    List<FieldChecks> elements = new ArrayList<>();
    for (JsonNode element : object.path(field)) {
      elements.add(new FieldChecks(element, path(field) + "[" + elements.size() + "]", errors));
    }
    return elements;
  }

  private String path(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  public String text(String field) {
    return object.path(field).asText("");
  }

  public boolean has(String field) {
    return object.hasNonNull(field);
  }

  /** Reports fields that are missing, null or empty. */
  public FieldChecks require(String... fields) {
    for (String field : fields) {
      JsonNode value = object.path(field);
      if (value.isContainerNode() ? value.isEmpty() : value.asText("").isEmpty()) {
        errors.add(FieldError.required(path(field)));
      }
    }
    return this;
  }

  /** Reports a text that is not allowed. */
  public FieldChecks oneOf(String field, String... allowed) {
    if (object.path(field).isTextual() && !Set.of(allowed).contains(text(field))) {
      errors.add(FieldError.unsupported(path(field), text(field), List.of(allowed)));
    }
    return this;
  }

  /** Reports a number that is less than the limit. */
  public FieldChecks atLeast(long least, String... fields) {
    for (String field : fields) {
      JsonNode value = object.path(field);
      check(!value.isNumber() || value.asLong() >= least, field, "must be at least " + least);
    }
    return this;
  }

  /** Reports a number that is not the number of a port. A missing number is 0. */
  public void port(String field) {
    int port = object.path(field).asInt();
    check(port >= 1 && port <= HIGHEST_PORT, field, "must be between 1 and 65535");
  }

  /** Reports each element of a list whose key is that of an earlier one. */
  public void unique(String list, String key) {
    Set<String> known = new HashSet<>();
    for (FieldChecks element : each(list)) {
      String value = element.text(key);
      if (!value.isEmpty() && !known.add(value)) {
        errors.add(FieldError.duplicate(element.path(key), value));
      }
    }
  }

  /** Reports that a field has changed. Does nothing if there is no old object. */
  public FieldChecks immutable(JsonNode old, String... fields) {
    for (String field : fields) {
      check(
          old.isEmpty() || old.path(field).equals(object.path(field)), field, "field is immutable");
    }
    return this;
  }

  /** Reports an invalid value unless the condition holds. */
  public void check(boolean holds, String field, String why) {
    if (!holds) {
      errors.add(FieldError.invalid(path(field), object.path(field), why));
    }
  }

  /** Reports a field that must not be set if the condition holds. */
  public void forbid(boolean violated, String field, String why) {
    if (violated) {
      errors.add(FieldError.forbidden(path(field), why));
    }
  }
}
