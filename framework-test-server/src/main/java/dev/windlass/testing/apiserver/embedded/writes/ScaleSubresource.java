// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.writes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import java.util.StringJoiner;
import java.util.function.UnaryOperator;

/**
 * Converts between a workload and its {@code /scale} subresource, which is a Scale of
 * autoscaling/v1.
 */
public final class ScaleSubresource {
  private ScaleSubresource() {}

  /** Returns the Scale of the given workload. */
  public static ObjectNode of(ObjectNode workload) {
    Meta meta = Meta.of(workload);
    ObjectNode scale = Json.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    scale
        .putObject("metadata")
        .put("name", meta.name())
        .put("namespace", meta.namespace())
        .put("uid", meta.uid())
        .put("resourceVersion", meta.resourceVersion())
        .put("creationTimestamp", meta.text("creationTimestamp"));
    scale.putObject("spec").put("replicas", workload.path("spec").path("replicas").asInt());
    ObjectNode status = scale.putObject("status");
    status.put("replicas", workload.path("status").path("replicas").asInt());
    StringJoiner selector = new StringJoiner(",");
    JsonNode labels = workload.path("spec").path("selector").path("matchLabels");
    labels.properties().forEach(l -> selector.add(l.getKey() + "=" + l.getValue().asText()));
    status.put("selector", selector.toString());
    return scale;
  }

  /**
   * Returns an edit of the workload that has the same effect as applying {@code edit} to its Scale.
   */
  public static UnaryOperator<ObjectNode> edit(UnaryOperator<ObjectNode> edit) {
    return workload -> {
      ObjectNode wanted = edit.apply(of(workload));
      ObjectNode changed = workload.deepCopy();
      changed.withObject("/spec").set("replicas", wanted.path("spec").path("replicas"));
      JsonNode version = wanted.path("metadata").path("resourceVersion");
      Meta.of(changed).json().set("resourceVersion", version);
      return changed;
    };
  }
}
