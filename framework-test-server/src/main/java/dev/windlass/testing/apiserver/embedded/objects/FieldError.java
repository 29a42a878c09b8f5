// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A validation error in one field of an object.
 *
 * @param type the type of error
 * @param field the field's path, such as {@code spec.replicas}
 * @param message the text that follows the path in the error message, with the real server's
 *     wording
 */
public record FieldError(Type type, String field, String message) {

  /** The types of validation errors, with their reasons in {@code details.causes}. */
  public enum Type {
    INVALID("FieldValueInvalid"),
    TYPE_INVALID("FieldValueTypeInvalid"),
    REQUIRED("FieldValueRequired"),
    UNSUPPORTED("FieldValueNotSupported"),
    TOO_LONG("FieldValueTooLong"),
    TOO_MANY("FieldValueTooMany"),
    DUPLICATE("FieldValueDuplicate"),
    FORBIDDEN("FieldValueForbidden");

    private final String reason;

    Type(String reason) {
      this.reason = reason;
    }

    String reason() {
      return reason;
    }
  }

  /**
   * Creates an error for an invalid value. The message contains {@code value} unchanged, so the
   * caller must add quotes to strings.
   */
  public static FieldError invalid(String field, String value, String why) {
    return new FieldError(Type.INVALID, field, "Invalid value: " + value + ": " + why);
  }

  public static FieldError invalid(String field, JsonNode value, String why) {
    return invalid(field, value.toString(), why);
  }

  public static FieldError required(String field, String why) {
    return new FieldError(
        Type.REQUIRED, field, why.isEmpty() ? "Required value" : "Required value: " + why);
  }

  /**
   * Creates an error for an unsupported value. The message contains {@code value} unchanged, so the
   * caller must add quotes to strings.
   */
  public static FieldError unsupported(String field, String value, List<String> supported) {
    String values = supported.stream().map(FieldError::quoted).collect(Collectors.joining(", "));
    return new FieldError(
        Type.UNSUPPORTED, field, "Unsupported value: " + value + ": supported values: " + values);
  }

  /**
   * Creates an error for a duplicate value. The message contains {@code value} unchanged, so the
   * caller must add quotes to strings.
   */
  public static FieldError duplicate(String field, String value) {
    return new FieldError(Type.DUPLICATE, field, "Duplicate value: " + value);
  }

  public static String quoted(String text) {
    return '"' + text + '"';
  }

  public static FieldError forbidden(String field, String why) {
    return new FieldError(Type.FORBIDDEN, field, "Forbidden: " + why);
  }

  /** Returns the text of the error, as it appears in a Status message. */
  public String text() {
    return field + ": " + message;
  }
}
