// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object;

import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The JSON type that a class requires where Jackson has found a value of another type. */
final class ExpectedJsonType {

  private static final Set<Class<?>> INTEGERS =
      Set.of(
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          BigInteger.class);

  private ExpectedJsonType() {}

  /**
   * Returns the name of the type as schemas write it, such as {@code integer}. The result is empty
   * if the Java type does not determine it, as with enums and classes that have a deserialiser.
   */
  static Optional<String> of(Throwable cause) {
    return cause instanceof MismatchedInputException mismatch && mismatch.getTargetType() != null
        ? of(mismatch.getTargetType())
        : Optional.empty();
  }

  private static Optional<String> of(Class<?> type) {
    if (INTEGERS.contains(type)) {
      return Optional.of("integer");
    }
    if (type == double.class || type == float.class || Number.class.isAssignableFrom(type)) {
      return Optional.of("number");
    }
    if (type == boolean.class || type == Boolean.class) {
      return Optional.of("boolean");
    }
    if (type == String.class) {
      return Optional.of("string");
    }
    if (Collection.class.isAssignableFrom(type)) {
      return Optional.of("array");
    }
    return Map.class.isAssignableFrom(type) ? Optional.of("object") : Optional.empty();
  }
}
