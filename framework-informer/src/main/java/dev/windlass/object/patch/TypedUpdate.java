// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ObjectSerialization;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Creates the body of an update from a typed object and from the JSON of the version that the
 * object names, the <em>base</em>. The body contains the fields of the base that the object's class
 * does not declare; see {@link UnknownFields}.
 *
 * <p>An update of the status contains every field of the object's status, because the program is
 * its only author. In the rest of the object, fields that the base lacks and that only have the
 * default value of the class are not sent.
 */
public final class TypedUpdate {

  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

  private final HasMetadata object;
  private final ObjectNode base;
  private final ObjectNode before;
  private final ObjectNode after;

  /**
   * Creates the update of an object.
   *
   * @param serialization decodes and encodes the objects
   * @param decoded the object that was decoded from the base; empty if it has not been decoded
   * @throws RuntimeException if the base cannot be decoded into the object's class
   */
  public TypedUpdate(
      ObjectSerialization serialization,
      HasMetadata object,
      byte[] base,
      Optional<? extends HasMetadata> decoded) {
    this.object = object;
    try {
      this.base = ObjectCodec.parse(base, ObjectNode.class);
    } catch (IOException e) {
      throw new IllegalStateException("the object can't be parsed as JSON", e);
    }
    this.before =
        serialization.convert(
            decoded.isPresent()
                ? decoded.get()
                : serialization.convert(this.base, object.getClass()),
            ObjectNode.class);
    this.after = serialization.convert(object, ObjectNode.class);
  }

  /**
   * Returns whether an object contains every field of the JSON from which it was decoded, so that
   * it can be sent as it is. This applies to fabric8's classes of built-in types, except those for
   * the schema of a custom resource.
   */
  public static boolean isComplete(HasMetadata object) {
    String name = object.getClass().getName();
    return object instanceof GenericKubernetesResource
        || (name.startsWith(MODEL) && !name.startsWith(MODEL + "apiextensions."));
  }

  /**
   * Returns whether an object's status has a field that the status of its base lacks, even if an
   * object that is decoded from the base has the same value because of a default of the class.
   */
  public static boolean addsToStatus(
      ObjectSerialization serialization, HasMetadata object, byte[] base) {
    if (isComplete(object)) {
      return false;
    }
    JsonNode stored;
    try {
      stored = ObjectCodec.parse(base, ObjectNode.class).path("status");
    } catch (IOException e) {
      throw new IllegalStateException("the object can't be parsed as JSON", e);
    }
    JsonNode status = serialization.convert(object, ObjectNode.class).path("status");
    return !UnknownFields.filled(stored, status).equals(stored);
  }

  /**
   * Returns how the base differs from the version that the object names, or empty if it is this
   * version or the object does not name one.
   */
  public Optional<String> conflict() {
    for (String field : List.of("uid", "resourceVersion")) {
      String stored = base.path("metadata").path(field).asText("");
      String named = after.path("metadata").path(field).asText("");
      if (!named.isEmpty() && !named.equals(stored)) {
        return Optional.of("its %s was %s and is %s".formatted(field, named, stored));
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the body, which contains the resourceVersion of the base.
   *
   * @param subresource the subresource to update; empty for the object itself
   * @throws IllegalArgumentException if the update could lose a field of the base
   */
  public String body(String subresource) {
    ObjectNode original = base.deepCopy();
    ObjectNode changed = after;
    if (subresource.equals("status")) {
      original.retain("status");
      before.retain("status");
      changed = after.deepCopy().retain("status");
    } else {
      for (ObjectNode tree : List.of(original, before)) {
        tree.withObject("/metadata").remove("managedFields"); // those of the object are sent
      }
    }
    UnknownFields.Merged merged = UnknownFields.merge(original, before, changed);
    merged.ambiguous().ifPresent(this::refuse);
    ObjectNode body = merged.object();
    if (subresource.equals("status")) {
      JsonNode status = UnknownFields.filled(body.path("status"), changed.path("status"));
      after.remove("status");
      body.setAll(after);
      if (!status.isMissingNode()) {
        body.set("status", status);
      }
    }
    body.withObject("/metadata")
        .set("resourceVersion", base.path("metadata").path("resourceVersion"));
    return body.toString();
  }

  private void refuse(String path) {
    throw new IllegalArgumentException(
        ("an update of %s %s would lose the field %s, which %s does not declare: the element of the"
                + " list that it belongs to has changed and has no unique name, type or key."
                + " Declare the field, or send a patch, such as CreateOrUpdate.createOrPatch, which"
                + " replaces the whole list")
            .formatted(object.getKind(), ObjectKey.of(object), path, object.getClass().getName()));
  }
}
