// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A view of the {@code metadata} of an object. Setters modify the object, so do not call them on an
 * object that is already in the store.
 */
public record Meta(ObjectNode json) {

  /**
   * Returns the metadata of {@code object}. If the object has no metadata, adds empty metadata to
   * it.
   */
  public static Meta of(ObjectNode object) {
    return new Meta(
        object.get("metadata") instanceof ObjectNode metadata
            ? metadata
            : object.putObject("metadata"));
  }

  /**
   * Returns the value of the given field as a string, or an empty string if the field is absent.
   */
  public String text(String field) {
    return json.path(field).asText("");
  }

  public String name() {
    return text("name");
  }

  public String namespace() {
    return text("namespace");
  }

  public String uid() {
    return text("uid");
  }

  public String resourceVersion() {
    return text("resourceVersion");
  }

  public long generation() {
    return json.path("generation").asLong();
  }

  public ObjectKey key() {
    return new ObjectKey(namespace(), name());
  }

  public boolean deleting() {
    return json.hasNonNull("deletionTimestamp");
  }

  public List<String> finalizers() {
    List<String> finalizers = new ArrayList<>();
    json.path("finalizers").forEach(finalizer -> finalizers.add(finalizer.asText()));
    return finalizers;
  }

  public void finalizers(Collection<String> finalizers) {
    json.remove("finalizers");
    if (!finalizers.isEmpty()) {
      ArrayNode array = json.putArray("finalizers");
      finalizers.forEach(array::add);
    }
  }

  /** Returns the owner references. Ignores elements that are not JSON objects. */
  public List<ObjectNode> owners() {
    List<ObjectNode> owners = new ArrayList<>();
    for (JsonNode owner : json.path("ownerReferences")) {
      if (owner instanceof ObjectNode reference) {
        owners.add(reference);
      }
    }
    return owners;
  }

  public void owners(Collection<ObjectNode> owners) {
    json.remove("ownerReferences");
    if (!owners.isEmpty()) {
      json.putArray("ownerReferences").addAll(owners);
    }
  }
}
