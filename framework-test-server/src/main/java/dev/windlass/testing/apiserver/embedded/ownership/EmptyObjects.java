// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.List;
import java.util.Map;

/**
 * Creates the empty objects with which the server compares new objects, to determine which fields
 * the client has set. As in the real server, an empty object of a built-in kind contains the Go
 * structs that its JSON encoding never omits. These structs therefore have no owner. A custom
 * resource has no such structs.
 */
public final class EmptyObjects {
  private static final List<String> TEMPLATE =
      List.of("/spec/template/metadata", "/spec/template/spec", "/status");
  private static final Map<String, List<String>> STRUCTS =
      Map.of(
          "Deployment",
          List.of("/spec/strategy"),
          "StatefulSet",
          List.of("/spec/updateStrategy"),
          "DaemonSet",
          List.of("/spec/updateStrategy"),
          "CronJob",
          List.of(
              "/spec/jobTemplate/metadata",
              "/spec/jobTemplate/spec/template/metadata",
              "/spec/jobTemplate/spec/template/spec"),
          "PersistentVolumeClaim",
          List.of("/spec/resources"),
          "HorizontalPodAutoscaler",
          List.of("/spec/scaleTargetRef"),
          "NetworkPolicy",
          List.of("/spec/podSelector"),
          "Service",
          List.of("/status/loadBalancer"),
          "Ingress",
          List.of("/status/loadBalancer"));

  private EmptyObjects() {}

  /** Returns a new empty object of the given type. */
  public static ObjectNode of(ResourceType type) {
    ObjectNode empty = Json.object();
    if (type.custom()) {
      return empty;
    }
    empty.putObject("spec");
    empty.putObject("status");
    if (type.group().equals("apps") || type.group().equals("batch")) {
      TEMPLATE.forEach(empty::withObject);
      empty.withObject("/spec/template/spec").putArray("containers");
    }
    if (type.group().startsWith("rbac")) {
      empty.putNull("rules");
    }
    STRUCTS.getOrDefault(type.kind(), List.of()).forEach(empty::withObject);
    if (type.kind().equals("CronJob")) {
      empty.withObject("/spec/jobTemplate/spec/template/spec").putArray("containers");
    }
    return empty;
  }
}
