// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission.review;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.logging.OneLine;
import dev.windlass.object.UndecodableException;
import dev.windlass.webhook.admission.FieldError;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The error that a user receives for an object that cannot be decoded into the webhook's class.
 * Unlike the log, the error shows the value, as errors of the API server do, because the user has
 * sent it.
 */
final class Misfit {

  /** The maximum length of a value in the error: 64 characters. */
  private static final int LONGEST_VALUE = 64;

  private static final String UNKNOWN_TYPE =
      "the value does not have the type that the operator expects here";

  private static final String EXCESSIVE =
      "the operator can't read it, because it is nested in more than 1,000 levels, or has a number"
          + " or a name that is too long";

  private static final String WHOLE = "spec";

  private static final Pattern INDEX = Pattern.compile("\\[(\\d+)]");

  private Misfit() {}

  /** Returns the error for a value that cannot be decoded into the class. */
  static FieldError of(JsonNode object, UndecodableException e) {
    String detail = e.expectedType().map("must be of type "::concat).orElse(UNKNOWN_TYPE);
    return e.path().isEmpty()
        ? new FieldError(WHOLE, FieldError.Type.INVALID, detail, "")
        : new FieldError(e.path(), FieldError.Type.INVALID, detail, shown(object, e.path()));
  }

  /** Returns the error for an object that exceeds the limits of this program. */
  static FieldError excessive() {
    return new FieldError(WHOLE, FieldError.Type.INVALID, EXCESSIVE, "");
  }

  /**
   * Returns the value at a path, truncated. For an object or array, this method returns only the
   * type, as the API server does. The result is empty if a name in the path contains dots, so that
   * the path does not lead to the value.
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
