// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The labels and annotations of an object, which are the only metadata that a conversion can
 * change.
 *
 * <p>An instance contains copies of both maps. It does not change if a conversion function modifies
 * the metadata of its argument.
 */
record LabelsAndAnnotations(Map<String, String> labels, Map<String, String> annotations) {

  LabelsAndAnnotations {
    labels = new LinkedHashMap<>(labels);
    annotations = new LinkedHashMap<>(annotations);
  }

  static LabelsAndAnnotations of(@Nullable ObjectMeta metadata) {
    return metadata == null
        ? new LabelsAndAnnotations(Map.of(), Map.of())
        : new LabelsAndAnnotations(
            Objects.requireNonNullElse(metadata.getLabels(), Map.of()),
            Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
  }

  /**
   * Returns the labels and annotations of the result of a conversion function. If the returned
   * metadata has a name, the function is assumed to have copied the metadata of its argument. In
   * this case, only the returned labels and annotations apply. Otherwise, the returned labels and
   * annotations are added to those of this instance.
   *
   * @param returned the metadata of the object that the function returned
   */
  LabelsAndAnnotations after(@Nullable ObjectMeta returned) {
    LabelsAndAnnotations set = of(returned);
    if (returned != null && (returned.getName() != null || returned.getGenerateName() != null)) {
      return set;
    }
    LabelsAndAnnotations sum = new LabelsAndAnnotations(labels, annotations);
    sum.labels.putAll(set.labels);
    sum.annotations.putAll(set.annotations);
    return sum;
  }

  /** Returns a copy of the given metadata with these labels and annotations. */
  ObjectMeta on(@Nullable ObjectMeta metadata) {
    ObjectMetaBuilder copy =
        metadata == null ? new ObjectMetaBuilder() : new ObjectMetaBuilder(metadata);
    return copy.withLabels(new LinkedHashMap<>(labels))
        .withAnnotations(new LinkedHashMap<>(annotations))
        .build();
  }

  /**
   * Returns the metadata of a source object with these labels and annotations. All other fields are
   * those of the source, and so are the labels and annotations if the conversion has not changed
   * them.
   *
   * @param metadata the JSON of the source's metadata, or null if it has none
   * @param before the labels and annotations of the source
   */
  ObjectNode in(@Nullable JsonNode metadata, LabelsAndAnnotations before) {
    ObjectNode result = JsonNodeFactory.instance.objectNode();
    if (metadata instanceof ObjectNode source) {
      result.setAll(source);
    }
    set(result, "labels", before.labels, labels);
    set(result, "annotations", before.annotations, annotations);
    return result;
  }

  private static void set(
      ObjectNode metadata, String field, Map<String, String> before, Map<String, String> after) {
    if (before.equals(after)) {
      return;
    }
    if (after.isEmpty()) {
      metadata.remove(field);
    } else {
      ObjectNode values = metadata.putObject(field);
      after.forEach(values::put);
    }
  }

  LabelsAndAnnotations withAnnotation(String key, String value) {
    LabelsAndAnnotations more = new LabelsAndAnnotations(labels, annotations);
    more.annotations.put(key, value);
    return more;
  }

  LabelsAndAnnotations withoutAnnotation(String key) {
    LabelsAndAnnotations fewer = new LabelsAndAnnotations(labels, annotations);
    fewer.annotations.remove(key);
    return fewer;
  }
}
