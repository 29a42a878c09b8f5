// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.LabelSyntax;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The validation rules for labels and for the keys of annotations. */
final class LabelRules {
  private LabelRules() {}

  /** Validates labels and annotations and returns the errors. */
  static List<FieldError> of(Meta meta) {
    List<FieldError> errors = new ArrayList<>();
    for (Map.Entry<String, JsonNode> label : meta.json().path("labels").properties()) {
      String field = "metadata.labels";
      errors.addAll(LabelSyntax.ofName(field, label.getKey(), label.getKey()));
      errors.addAll(LabelSyntax.ofValue(field, label.getValue().asText()));
    }
    for (Map.Entry<String, JsonNode> annotation : meta.json().path("annotations").properties()) {
      String name = annotation.getKey();
      String lower = name.toLowerCase(Locale.ROOT);
      errors.addAll(LabelSyntax.ofName("metadata.annotations", name, lower));
    }
    return errors;
  }
}
