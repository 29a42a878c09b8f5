// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.List;

/** The validation rules for numbers. */
final class Numbers {
  private Numbers() {}

  /** Adds an error if the value of a field is a negative number. */
  static void notNegative(JsonNode object, String path, String field, List<FieldError> errors) {
    JsonNode value = object.path(field);
    if (value.isNumber() && value.asLong() < 0) {
      errors.add(
          FieldError.invalid(path + "." + field, value, "must be greater than or equal to 0"));
    }
  }
}
