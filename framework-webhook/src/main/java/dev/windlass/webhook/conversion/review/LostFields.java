// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.Conversion.Spoke;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the fields of the hub that a spoke cannot express, in an annotation of the object in the
 * spoke's version; see {@link Conversion#keepingLostFields}.
 *
 * <p>A conversion to a spoke stores the hub's content in the annotation if the conversion back to
 * the hub would not restore it. A conversion to the hub compares three states: the stored content,
 * the result of converting it to the spoke and back (the base), and the result of converting the
 * current object. A {@link ThreeWayMerge} keeps the changes of the spoke's clients, and restores
 * all other fields from the stored content.
 *
 * @param <H> the hub's class
 */
final class LostFields<H extends HasMetadata> {

  private static final Logger log = LoggerFactory.getLogger(LostFields.class);

  /**
   * The maximum size of an object's annotations in total: 256 KiB ({@code
   * TotalAnnotationSizeLimitB} in apimachinery's {@code objectmeta.go}).
   */
  private static final long MAX_ANNOTATIONS = 256 << 10;

  private static final String KEY = Conversion.HUB_ANNOTATION;

  private final Class<H> hubClass;

  LostFields(Class<H> hubClass) {
    this.hubClass = hubClass;
  }

  /**
   * Adds the annotation to an object if the conversion has lost a field.
   *
   * @param content the hub's content before the conversion
   * @param converted the object after its conversion
   */
  <S extends HasMetadata> ConvertedObject<S> store(
      Spoke<S, H> spoke, ObjectNode content, ConvertedObject<S> converted)
      throws ConversionFailure {
    if (content.equals(wayBack(spoke, converted))) {
      return converted.with(converted.marks().withoutAnnotation(KEY));
    }
    String stored = new String(ObjectJson.write(content), StandardCharsets.UTF_8);
    LabelsAndAnnotations marks = converted.marks().withAnnotation(KEY, stored);
    long size = 0;
    for (var annotation : marks.annotations().entrySet()) {
      size += bytes(annotation.getKey()) + bytes(annotation.getValue());
    }
    if (size > MAX_ANNOTATIONS) {
      throw new ConversionFailure(
          "the fields that this version can't express do not fit into the annotations, which can"
              + " have 256 KiB",
          null);
    }
    return converted.with(marks);
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /**
   * Returns the hub's content that results from converting an object in a spoke's version to the
   * hub.
   */
  private <S extends HasMetadata> ObjectNode wayBack(Spoke<S, H> spoke, ConvertedObject<S> object)
      throws ConversionFailure {
    // The function receives a copy, because functions may share values between their argument and
    // their result.
    ConvertedObject<S> copy = object.withContent(object.content(), spoke.version());
    return copy.through(spoke.toHub()).content();
  }

  /**
   * Restores the fields that the spoke cannot express from the annotation, and removes the
   * annotation. If the annotation cannot be used, for example because a client has changed it, the
   * object remains unchanged.
   */
  <S extends HasMetadata> ConvertedObject<H> restore(
      RequestedObject name, Spoke<S, H> spoke, ConvertedObject<H> hub) throws ConversionFailure {
    String annotation = hub.marks().annotations().get(KEY);
    if (annotation == null) {
      return hub;
    }
    ObjectNode ours = hub.completeContent();
    try {
      ConvertedObject<H> stored = hub.withContent(ObjectJson.parse(annotation), hubClass);
      ObjectNode theirs = stored.content();
      ObjectNode base = wayBack(spoke, stored.through(spoke.fromHub()));
      JsonNode merged = Objects.requireNonNull(ThreeWayMerge.merge(base, ours, theirs));
      return hub.withContent(merged, hubClass).with(hub.marks().withoutAnnotation(KEY));
    } catch (ConversionFailure e) {
      log.warn("Ignoring the annotation {} of {}: {}", KEY, name, e.getMessage());
      return hub;
    }
  }
}
