// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.conversion.review;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.logging.OneLine;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.ResourceType;
import dev.windlass.webhook.conversion.Conversion;
import dev.windlass.webhook.conversion.Conversion.Spoke;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Converts the objects of one kind.
 *
 * @param <H> the hub's class
 */
final class KindConverter<H extends HasMetadata> {

  private final ObjectJson json;
  private final Conversion<H> conversion;
  private final Class<H> hubClass;
  private final String hubVersion;
  private final LostFields<H> lostFields;

  /**
   * The spokes, keyed by apiVersion. The value is empty for a version that has the same fields as
   * the hub.
   */
  private final Map<String, Optional<Spoke<?, H>>> versions = new HashMap<>();

  KindConverter(Conversion<H> conversion, ObjectSerialization serialization) {
    this.json = new ObjectJson(serialization);
    this.conversion = conversion;
    this.hubClass = conversion.hub();
    this.hubVersion = conversion.type().apiVersion();
    this.lostFields = new LostFields<>(hubClass);
    for (Class<? extends HasMetadata> version : conversion.versions().values()) {
      versions.put(ResourceType.of(version).apiVersion(), Optional.empty());
    }
    for (Spoke<?, H> spoke : conversion.spokes()) {
      versions.put(ResourceType.of(spoke.version()).apiVersion(), Optional.of(spoke));
    }
  }

  /** Returns the converted object. It may be, or share parts with, the given object. */
  ObjectNode convert(ObjectNode object, String desired) throws ConversionFailure {
    Optional<Spoke<?, H>> from = version(object.get("apiVersion").textValue());
    Optional<Spoke<?, H>> to = version(desired);
    if (from.equals(to)) {
      return object.put("apiVersion", desired);
    }
    if (from.isPresent()) {
      return convertSpoke(object, from.get(), desired, to);
    }
    ConvertedObject<H> hub = ConvertedObject.of(json, object, hubClass);
    hub.object().setApiVersion(hubVersion); // the class's version, not the decoded one
    return result(object, hub.marks(), desired, fromHub(to.orElseThrow(), hub));
  }

  private <S extends HasMetadata> ObjectNode convertSpoke(
      ObjectNode object, Spoke<S, H> from, String desired, Optional<Spoke<?, H>> to)
      throws ConversionFailure {
    ConvertedObject<S> source = ConvertedObject.of(json, object, from.version());
    ConvertedObject<H> hub = source.through(from.toHub());
    if (conversion.keepsLostFields()) {
      hub = lostFields.restore(object, from, hub);
    }
    return result(object, source.marks(), desired, to.isPresent() ? fromHub(to.get(), hub) : hub);
  }

  private Optional<Spoke<?, H>> version(String apiVersion) throws ConversionFailure {
    Optional<Spoke<?, H>> version = versions.get(apiVersion);
    if (version == null) {
      throw new ConversionFailure(
          "this program does not convert "
              + OneLine.of(apiVersion, ConversionHandler.LONGEST_VERSION)
              + "; it converts "
              + conversion,
          null);
    }
    return version;
  }

  private <S extends HasMetadata> ConvertedObject<S> fromHub(
      Spoke<S, H> spoke, ConvertedObject<H> hub) throws ConversionFailure {
    if (!conversion.keepsLostFields()) {
      return hub.through(spoke.fromHub());
    }
    ObjectNode content = hub.completeContent();
    return lostFields.store(spoke, content, hub.through(spoke.fromHub()));
  }

  private ObjectNode result(
      ObjectNode source, LabelsAndAnnotations before, String desired, ConvertedObject<?> converted)
      throws ConversionFailure {
    // The annotation contains the fields that have no place in a spoke.
    boolean hasAnnotation = converted.marks().annotations().containsKey(Conversion.HUB_ANNOTATION);
    boolean mayOmit = conversion.keepsLostFields() && hasAnnotation && version(desired).isPresent();
    ObjectNode result = source.objectNode().put("apiVersion", desired);
    result.set("kind", source.get("kind"));
    result.set("metadata", converted.marks().in(source.get("metadata"), before));
    return result.setAll(mayOmit ? converted.content() : converted.completeContent());
  }
}
