// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.logging.OneLine;
import dev.windlass.object.UndecodableException;
import dev.windlass.webhook.admission.FieldError;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Creates the error that a user receives if the webhook cannot decode an object. As in errors of
 * the API server, the message contains the value that the user has sent. Log messages do not
 * contain this value.
 */
final class Misfit {

  /** The maximum length of a value in an error: 64 characters. */
  private static final int LONGEST_VALUE = 64;

  private static final String UNKNOWN_TYPE =
      "the value does not have the type that the operator expects here";

  private static final String UNKNOWN =
      "the operator does not know this field, and would lose it by setting the defaults of a list"
          + " whose elements have no name, type or key";

  private static final String WHOLE = "spec";

  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  private Misfit() {}

  /** Returns the error for a value that cannot be decoded. */
  static FieldError of(JsonNode object, UndecodableException e) {
    String detail = e.expectedType().map("must be of type "::concat).orElse(UNKNOWN_TYPE);
    return e.path().isEmpty()
        ? new FieldError(WHOLE, FieldError.Type.INVALID, detail, "")
        : new FieldError(e.path(), FieldError.Type.INVALID, detail, shown(object, e.path()));
  }

  /** Returns the error for a field that the class does not declare and that would be lost. */
  static FieldError ofUnknown(String path) {
    return new FieldError(path, FieldError.Type.INVALID, UNKNOWN, "");
  }

  /**
   * Returns the value at a path, truncated to the maximum length. As in errors of the API server,
   * an object or array is represented by its type. Returns an empty string if the value is not
   * found. This is always the case if a field name in the path contains a dot.
   */
  private static String shown(JsonNode object, String path) {
    JsonNode value = object;
    for (String step : INDEX.matcher(path).replaceAll(".$1").split("\\.", -1)) {
      boolean isIndex = value.isArray() && step.chars().allMatch(Character::isDigit);
      value = isIndex ? value.path(Integer.parseInt(step)) : value.path(step);
    }
    if (value.isMissingNode()) {
      return "";
    }
    return value.isContainerNode()
        ? '"' + value.getNodeType().name().toLowerCase(Locale.ROOT) + '"'
        : OneLine.of(value.toString(), LONGEST_VALUE);
  }
}
