// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * Converts between an object and its {@code /scale} subresource, which is a Scale of
 * autoscaling/v1.
 */
public final class ScaleSubresource {
  private ScaleSubresource() {}

  /** Returns the Scale of an object. */
  public static ObjectNode of(ResourceType type, ObjectNode object) {
    Meta meta = Meta.of(object);
    ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    scale
        .putObject("metadata")
        .put("name", meta.name())
        .put("namespace", meta.namespace())
        .put("uid", meta.uid())
        .put("resourceVersion", meta.resourceVersion())
        .put("creationTimestamp", meta.text("creationTimestamp"));
    int wanted = object.at(type.scale().replicas()).asInt();
    ObjectNode spec = scale.putObject("spec");
    if (wanted != 0) {
      spec.put("replicas", wanted);
    }
    ObjectNode status = scale.putObject("status");
    status.put("replicas", object.at(type.scale().statusReplicas()).asInt());
    String selector = selector(type, object);
    if (!selector.isEmpty()) {
      status.put("selector", selector);
    }
    return scale;
  }

  private static String selector(ResourceType type, ObjectNode object) {
    if (type.custom()) {
      String path = type.scale().selector();
      return path.isEmpty() ? "" : object.at(path).asText("");
    }
    StringJoiner selector = new StringJoiner(",");
    JsonNode labels = object.path("spec").path("selector").path("matchLabels");
    labels.properties().forEach(l -> selector.add(l.getKey() + "=" + l.getValue().asText()));
    return selector.toString();
  }

  /** Converts an edit of an object's Scale into the equivalent edit of the object. */
  public static UnaryOperator<ObjectNode> edit(ResourceType type, UnaryOperator<ObjectNode> edit) {
    return object -> {
      ObjectNode wanted = edit.apply(of(type, object));
      if (Meta.of(wanted).name().isEmpty()) {
        throw StatusException.badRequest(
            "the name of the object (%s based on URL) was undeterminable: name must be provided"
                .formatted(Meta.of(object).name()));
      }
      ObjectNode changed = object.deepCopy();
      String path = type.scale().replicas();
      int last = path.lastIndexOf('/');
      int replicas = wanted.path("spec").path("replicas").asInt();
      if (replicas < 0 && !type.custom()) {
        FieldError error =
            FieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0");
        throw StatusException.invalid(
            "autoscaling", "Scale", Meta.of(object).name(), List.of(error));
      }
      changed.withObject(path.substring(0, last)).put(path.substring(last + 1), replicas);
      String version = Meta.of(wanted).resourceVersion();
      if (!version.isEmpty() && !version.equals("0")) {
        Meta.of(changed).json().put("resourceVersion", version);
      }
      return changed;
    };
  }

  /**
   * Returns a review for writes through the scale subresource. For validation, the returned review
   * passes the Scales of the old and the new object to {@code review}. It does not mutate the
   * object. The edit of the Scale has already called {@code review} for mutation.
   */
  public static Review review(ResourceType type, Review review) {
    return new Review() {
      @Override
      public boolean isActive() {
        return review.isActive();
      }

      @Override
      public ObjectNode mutate(ObjectNode old, ObjectNode object) {
        return object;
      }

      @Override
      public void validate(ObjectNode old, ObjectNode object) {
        review.validate(of(type, old), of(type, object));
      }
    };
  }
}
