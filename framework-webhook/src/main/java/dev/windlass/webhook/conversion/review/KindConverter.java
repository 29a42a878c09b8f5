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

  /** The maximum length of an apiVersion in a message. */
  private static final int LONGEST_VERSION = 256;

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

  /** Converts an object and appends the bytes of the result to the output. */
  void convert(RequestedObject object, String desired, JsonOutput out) throws ConversionFailure {
    Optional<Spoke<?, H>> from = version(object.apiVersion());
    Optional<Spoke<?, H>> to = version(desired);
    if (from.equals(to)) {
      replaceVersion(object, desired, out);
    } else if (from.isPresent()) {
      convertSpoke(object, from.get(), desired, to, out);
    } else {
      ConvertedObject<H> hub = ConvertedObject.of(json, object, hubClass);
      hub.object().setApiVersion(hubVersion); // the class's version, not the decoded one
      write(object, hub.marks(), desired, fromHub(to.orElseThrow(), hub), out);
    }
  }

  private <S extends HasMetadata> void convertSpoke(
      RequestedObject object,
      Spoke<S, H> from,
      String desired,
      Optional<Spoke<?, H>> to,
      JsonOutput out)
      throws ConversionFailure {
    ConvertedObject<S> source = ConvertedObject.of(json, object, from.version());
    ConvertedObject<H> hub = source.through(from.toHub());
    if (conversion.keepsLostFields()) {
      hub = lostFields.restore(object, from, hub);
    }
    ConvertedObject<?> result = to.isPresent() ? fromHub(to.get(), hub) : hub;
    write(object, source.marks(), desired, result, out);
  }

  private Optional<Spoke<?, H>> version(String apiVersion) throws ConversionFailure {
    Optional<Spoke<?, H>> version = versions.get(apiVersion);
    if (version == null) {
      throw new ConversionFailure(
          "this program does not convert "
              + OneLine.of(apiVersion, LONGEST_VERSION)
              + "; it converts "
              + conversion,
          null);
    }
    return version;
  }

  private static void replaceVersion(RequestedObject object, String desired, JsonOutput out) {
    ByteRange whole = object.range();
    ByteRange version = object.apiVersionRange();
    out.copy(object.body(), whole.from(), version.from())
        .value(desired)
        .copy(object.body(), version.to(), whole.to());
  }

  private <S extends HasMetadata> ConvertedObject<S> fromHub(
      Spoke<S, H> spoke, ConvertedObject<H> hub) throws ConversionFailure {
    if (!conversion.keepsLostFields()) {
      return hub.through(spoke.fromHub());
    }
    ObjectNode content = hub.completeContent();
    return lostFields.store(spoke, content, hub.through(spoke.fromHub()));
  }

  private void write(
      RequestedObject source,
      LabelsAndAnnotations before,
      String desired,
      ConvertedObject<?> result,
      JsonOutput out)
      throws ConversionFailure {
    // The annotation contains the fields that have no place in a spoke.
    boolean hasAnnotation = result.marks().annotations().containsKey(Conversion.HUB_ANNOTATION);
    boolean mayOmit = conversion.keepsLostFields() && hasAnnotation && version(desired).isPresent();
    ObjectNode content = mayOmit ? result.content() : result.completeContent();
    out.raw("{\"apiVersion\":").value(desired).raw(",\"kind\":").value(source.kind());
    out.raw(",\"metadata\":");
    MetadataBytes.write(source, before, result.marks(), out);
    if (content.isEmpty()) {
      out.raw("}");
    } else {
      byte[] fields = ObjectJson.write(content);
      out.raw(",").copy(fields, 1, fields.length); // including the closing brace
    }
  }
}
