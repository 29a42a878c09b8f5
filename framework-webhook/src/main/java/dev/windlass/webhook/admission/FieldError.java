// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.admission;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A validation error for one field of an object, as in Kubernetes' {@code field.Error}. Instances
 * are immutable.
 *
 * @param path the field's path, such as {@code spec.containers[0].image}
 * @param type the kind of error
 * @param detail the explanation for the user; can be empty
 * @param value the field's value as the message shows it, with quotation marks if it is a string;
 *     empty if the message does not show a value
 */
public record FieldError(String path, Type type, String detail, String value) {

  /** The smallest number for which Go uses exponential notation. */
  private static final double EXPONENTIAL = 1e21;

  /** The kinds of errors, with the same reasons and messages as in Kubernetes. */
  public enum Type {
    /** The value is not allowed. */
    INVALID("FieldValueInvalid", "Invalid value"),
    /** A value is missing. */
    REQUIRED("FieldValueRequired", "Required value"),
    /** The field must not be set, or must not be changed. */
    FORBIDDEN("FieldValueForbidden", "Forbidden"),
    /** The value must be unique, but also appears elsewhere. */
    DUPLICATE("FieldValueDuplicate", "Duplicate value"),
    /** The value is not one of the supported values. */
    NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
    /** The value refers to an object that does not exist. */
    NOT_FOUND("FieldValueNotFound", "Not found");

    private final String reason;
    private final String words;

    Type(String reason, String words) {
      this.reason = reason;
      this.words = words;
    }

    /** Returns the value of {@code reason} in the causes of a {@code Status} object. */
    public String reason() {
      return reason;
    }
  }

  /** Checks that no component is null. */
  public FieldError {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(detail, "detail");
    Objects.requireNonNull(value, "value");
  }

  /**
   * Returns the error for a value that is not allowed. The message shows a string in quotation
   * marks, a number unchanged, and an object as JSON, as in Kubernetes.
   */
  public static FieldError invalid(String path, @Nullable Object value, String detail) {
    return new FieldError(path, Type.INVALID, detail, shown(value));
  }

  /** Returns the error for a value that must be unique, but also appears elsewhere. */
  public static FieldError duplicate(String path, Object value) {
    return new FieldError(path, Type.DUPLICATE, "", shown(value));
  }

  /** Returns the error for a value that refers to an object that does not exist. */
  public static FieldError notFound(String path, Object value) {
    return new FieldError(path, Type.NOT_FOUND, "", shown(value));
  }

  /** Returns the error for a value that is not one of the supported values. */
  public static FieldError notSupported(String path, Object value, List<String> supported) {
    String detail =
        supported.stream()
            .map(FieldError::shown)
            .collect(Collectors.joining(", ", "supported values: ", ""));
    return new FieldError(path, Type.NOT_SUPPORTED, detail, shown(value));
  }

  /** Returns the error for a field that must be set. */
  public static FieldError required(String path, String detail) {
    return new FieldError(path, Type.REQUIRED, detail, "");
  }

  /** Returns the error for a field that must not be set or changed. */
  public static FieldError forbidden(String path, String detail) {
    return new FieldError(path, Type.FORBIDDEN, detail, "");
  }

  /**
   * Formats a value in the same way as Kubernetes does in {@code field.Error.ErrorBody}: strings
   * are quoted, numbers and Booleans are unchanged, and all other values are formatted as JSON.
   */
  private static String shown(@Nullable Object value) {
    if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      boolean isWhole = number == Math.rint(number) && Math.abs(number) < EXPONENTIAL;
      return isWhole ? String.format("%.0f", number) : value.toString();
    }
    if (value == null || value instanceof Number || value instanceof Boolean) {
      return String.valueOf(value);
    }
    boolean isText =
        value instanceof CharSequence || value instanceof Character || value instanceof Enum<?>;
    return Serialization.asJson(isText ? value.toString() : value);
  }

  /**
   * Returns the error message without the field's path, such as {@code Invalid value: "x": must be
   * a number}.
   */
  public String message() {
    String what = value.isEmpty() ? type.words : type.words + ": " + value;
    return detail.isEmpty() ? what : what + ": " + detail;
  }

  @Override
  public String toString() {
    return path + ": " + message();
  }
}
