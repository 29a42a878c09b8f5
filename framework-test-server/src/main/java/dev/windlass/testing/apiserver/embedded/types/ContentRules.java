// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.List;

/** The CEL validation rules for the content of a custom resource. */
public interface ContentRules {

  /** An instance without rules. */
  ContentRules NONE = (old, object) -> List.of();

  /**
   * Validates an object and returns the violations.
   *
   * @param old the object before the write, in the same version; an empty object for a create
   */
  List<FieldError> validate(ObjectNode old, ObjectNode object);
}
