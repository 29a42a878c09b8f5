// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.patch.UnknownFields;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.Conversion.Spoke;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Preserves the fields of the hub that a spoke does not have. They are stored in an annotation of
 * the object in the spoke's version; see {@link Conversion#keepingLostFields}.
 *
 * <p>A conversion to a spoke stores the hub's content in the annotation if a conversion back to the
 * hub would not restore this content. A conversion to the hub merges the current object into the
 * stored content, in the way that {@link UnknownFields} merges a changed object into JSON: the
 * fields that a conversion of the stored content to the spoke and back preserves are those that the
 * spoke declares. The result contains the changes that clients made to the object in the spoke's
 * version. All other fields are restored from the stored content.
 *
 * @param <H> the hub's class
 */
final class LostFields<H extends HasMetadata> {

  private static final Logger log = LoggerFactory.getLogger(LostFields.class);

  /**
   * The maximum total size of the annotations of an object: 256 KiB ({@code
   * TotalAnnotationSizeLimitB} in apimachinery's {@code objectmeta.go}).
   */
  private static final long MAX_ANNOTATIONS = 256 << 10;

  private static final String KEY = Conversion.HUB_ANNOTATION;

  private final Class<H> hubClass;

  LostFields(Class<H> hubClass) {
    this.hubClass = hubClass;
  }

  /**
   * Adds the annotation to an object if its conversion from the hub to a spoke has lost a field.
   *
   * @param content the content of the object in the hub's version
   * @param converted the object in the spoke's version
   * @throws ConversionFailure if the annotations would be too large
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

  /** Converts an object from a spoke to the hub, and returns the content of the result. */
  private <S extends HasMetadata> ObjectNode wayBack(Spoke<S, H> spoke, ConvertedObject<S> object)
      throws ConversionFailure {
    // The function receives a copy, because functions may share values between their argument and
    // their result.
    ConvertedObject<S> copy = object.withContent(object.content(), spoke.version());
    return copy.through(spoke.toHub()).content();
  }

  /**
   * Uses the annotation to restore the fields that the spoke does not have, and removes the
   * annotation. Returns the object unchanged if it has no annotation, or if the annotation cannot
   * be used, for example because a client has changed it.
   */
  <S extends HasMetadata> ConvertedObject<H> restore(
      ObjectNode object, Spoke<S, H> spoke, ConvertedObject<H> hub) throws ConversionFailure {
    String annotation = hub.marks().annotations().get(KEY);
    if (annotation == null) {
      return hub;
    }
    ObjectNode current = hub.completeContent();
    try {
      ObjectNode kept = ObjectJson.parse(annotation.getBytes(StandardCharsets.UTF_8));
      ConvertedObject<H> stored = hub.withContent(kept, hubClass);
      ObjectNode content = stored.content(); // before the function, which may change the object
      ObjectNode expressible = wayBack(spoke, stored.through(spoke.fromHub()));
      ObjectNode merged = UnknownFields.merge(content, expressible, current).object();
      return hub.withContent(merged, hubClass).with(hub.marks().withoutAnnotation(KEY));
    } catch (IOException e) {
      log.warn(
          "Ignoring the annotation {} of {}: it is not a JSON object",
          KEY,
          ObjectJson.name(object));
      return hub;
    } catch (ConversionFailure e) {
      log.warn(
          "Ignoring the annotation {} of {}: {}", KEY, ObjectJson.name(object), e.getMessage());
      return hub;
    }
  }
}
