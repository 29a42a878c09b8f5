// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A validation error in one field of an object.
 *
 * @param type the type of error
 * @param field the field's path, such as {@code spec.replicas}
 * @param message the text that follows the path in the error message
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

  public static FieldError invalid(String field, Object value, String why) {
    return new FieldError(Type.INVALID, field, "Invalid value: " + shown(value) + ": " + why);
  }

  public static FieldError required(String field, String why) {
    return new FieldError(
        Type.REQUIRED, field, why.isEmpty() ? "Required value" : "Required value: " + why);
  }

  public static FieldError required(String field) {
    return required(field, "");
  }

  public static FieldError unsupported(String field, Object value, List<String> supported) {
    String values = supported.stream().map(FieldError::shown).collect(Collectors.joining(", "));
    String message = "Unsupported value: " + shown(value) + ": supported values: " + values;
    return new FieldError(Type.UNSUPPORTED, field, message);
  }

  public static FieldError duplicate(String field, Object value) {
    return new FieldError(Type.DUPLICATE, field, "Duplicate value: " + shown(value));
  }

  private static String shown(Object value) {
    return value instanceof String text ? '"' + text + '"' : value.toString();
  }

  public static FieldError forbidden(String field, String why) {
    return new FieldError(Type.FORBIDDEN, field, "Forbidden: " + why);
  }

  /** Returns the text of the error, as it appears in a Status message. */
  public String text() {
    return field + ": " + message;
  }

  /** Returns the texts of several errors, in brackets unless there is only one. */
  public static String texts(List<FieldError> errors) {
    String all = errors.stream().map(FieldError::text).collect(Collectors.joining(", "));
    return errors.size() == 1 ? all : "[" + all + "]";
  }
}
