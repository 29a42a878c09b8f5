// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * The defaults that kube-apiserver sets in the kinds that controllers write most often, and the
 * initial status of new objects. With these defaults, a controller that compares its desired object
 * with the stored object finds the same differences as with a real server.
 */
final class BuiltInDefaults {
  /** The finalizer that remains in {@code spec.finalizers} until the namespace is empty. */
  private static final String NAMESPACE_FINALIZER = "kubernetes";

  private BuiltInDefaults() {}

  /** Sets the defaults of a kind. Drops nulls and certain empty fields, as Go's decoding does. */
  static void apply(ResourceType type, ObjectNode object) {
    dropNulls(object);
    switch (type.kind()) {
      case "Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "Job", "CronJob", "Pod" ->
          WorkloadDefaults.apply(type.kind(), object);
      case "HorizontalPodAutoscaler" -> AutoscalerDefaults.apply(object.withObject("/spec"));
      case "NetworkPolicy" -> networkPolicy(object.withObject("/spec"));
      case "PersistentVolumeClaim" ->
          new Defaults(object).in("spec").put("volumeMode", "Filesystem");
      case "PersistentVolume" ->
          new Defaults(object)
              .in("spec")
              .put("volumeMode", "Filesystem")
              .put("persistentVolumeReclaimPolicy", "Retain");
      case "StorageClass" ->
          new Defaults(object).put("reclaimPolicy", "Delete").put("volumeBindingMode", "Immediate");
      case "PriorityClass" -> new Defaults(object).put("preemptionPolicy", "PreemptLowerPriority");
      case "Secret" -> secret(object);
      case "ConfigMap" -> dropEmpty(object, "data", "binaryData");
      case "Service" -> ServiceRules.defaults(object.withObject("/spec"));
      case "Lease", "PodDisruptionBudget", "Ingress" -> object.withObject("/spec");
      case "Role", "ClusterRole" -> {
        if (object.path("rules").isEmpty()) {
          object.putNull("rules");
        }
      }
      case "Namespace" -> {
        Meta meta = Meta.of(object);
        if (!meta.name().isEmpty()) {
          meta.json().withObject("/labels").put("kubernetes.io/metadata.name", meta.name());
        }
      }
      case "MutatingWebhookConfiguration" -> WebhookConfigurationRules.defaults(object, true);
      case "ValidatingWebhookConfiguration" -> WebhookConfigurationRules.defaults(object, false);
      case "CustomResourceDefinition" -> CrdRules.defaults(object);
      default -> {}
    }
    NestedDefaults.apply(type, object);
  }

  /** Sets the initial status of a new object, and the finalizers of a new namespace. */
  static void initialStatus(String kind, ObjectNode object) {
    switch (kind) {
      case "Namespace" -> {
        ObjectNode spec = object.putObject("spec");
        spec.putArray("finalizers").add(NAMESPACE_FINALIZER);
        object.putObject("status").put("phase", "Active");
      }
      case "Pod" ->
          object.putObject("status").put("phase", "Pending").put("qosClass", "BestEffort");
      case "Ingress" -> object.putObject("status").putObject("loadBalancer");
      case "PodDisruptionBudget" ->
          object
              .putObject("status")
              .put("disruptionsAllowed", 0)
              .put("currentHealthy", 0)
              .put("desiredHealthy", 0)
              .put("expectedPods", 0);
      case "Service" -> object.putObject("status").putObject("loadBalancer");
      case "Deployment", "Job", "CronJob", "ResourceQuota" -> object.putObject("status");
      case "DaemonSet" ->
          object
              .putObject("status")
              .put("currentNumberScheduled", 0)
              .put("numberMisscheduled", 0)
              .put("desiredNumberScheduled", 0)
              .put("numberReady", 0);
      case "ReplicaSet" -> object.putObject("status").put("replicas", 0);
      case "StatefulSet" ->
          object.putObject("status").put("replicas", 0).put("availableReplicas", 0);
      case "HorizontalPodAutoscaler" ->
          object.putObject("status").put("desiredReplicas", 0).putNull("currentMetrics");
      case "PersistentVolume", "PersistentVolumeClaim" ->
          object.putObject("status").put("phase", "Pending");
      default -> {}
    }
  }

  /** Adds to the status those missing fields that Go's JSON encoding never omits. */
  static void completeStatus(String kind, ObjectNode object) {
    if (!Set.of("Namespace", "Pod", "PersistentVolume", "PersistentVolumeClaim").contains(kind)) {
      ObjectNode initial = Json.object();
      initialStatus(kind, initial);
      if (initial.get("status") instanceof ObjectNode fields) {
        ObjectNode status = object.withObject("/status");
        for (var field : fields.properties()) {
          if (!status.has(field.getKey())) {
            status.set(field.getKey(), field.getValue());
          }
        }
      }
    }
  }

  private static void secret(ObjectNode secret) {
    new Defaults(secret).put("type", "Opaque");
    if (secret.remove("stringData") instanceof ObjectNode plain) {
      ObjectNode data = secret.withObject("/data");
      plain
          .properties()
          .forEach(
              entry -> {
                byte[] bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
              });
    }
    dropEmpty(secret, "data");
  }

  private static void networkPolicy(ObjectNode spec) {
    spec.withObject("/podSelector");
    if (!spec.has("policyTypes")) {
      ArrayNode types = spec.putArray("policyTypes").add("Ingress");
      if (!spec.path("egress").isEmpty()) {
        types.add("Egress");
      }
    }
  }

  private static void dropEmpty(ObjectNode object, String... fields) {
    for (String field : fields) {
      if (object.path(field).isEmpty()) {
        object.remove(field);
      }
    }
  }

  private static void dropNulls(JsonNode node) {
    if (node instanceof ObjectNode object) {
      List<String> nulls = new ArrayList<>();
      object
          .properties()
          .forEach(
              field -> {
                if (field.getValue().isNull()) {
                  nulls.add(field.getKey());
                }
              });
      object.remove(nulls);
    }
    node.forEach(BuiltInDefaults::dropNulls);
  }
}
