// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * The defaults that kube-apiserver sets in the kinds that controllers write most often. With these
 * defaults, a controller that compares its desired object with the stored object finds the same
 * differences as with a real server.
 */
final class BuiltInDefaults {
  /** The finalizer that remains in {@code spec.finalizers} until the namespace is empty. */
  private static final String NAMESPACE_FINALIZER = "kubernetes";

  private BuiltInDefaults() {}

  /** Sets the defaults of a kind. Drops nulls and certain empty fields, as Go's decoding does. */
  static void apply(String kind, ObjectNode object) {
    dropNulls(object);
    switch (kind) {
      case "Deployment" -> deployment(object.withObject("/spec"));
      case "StatefulSet", "ReplicaSet" -> {
        put(object.withObject("/spec"), "replicas", 1);
        template(object.withObject("/spec"));
      }
      case "DaemonSet", "Job" -> template(object.withObject("/spec"));
      case "Pod" -> podSpec(object.withObject("/spec"));
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
      case "Deployment", "DaemonSet", "Job" -> object.putObject("status");
      case "ReplicaSet", "StatefulSet" -> object.putObject("status").put("replicas", 0);
      default -> {}
    }
  }

  /** Adds to the status those missing fields that Go's JSON encoding never omits. */
  static void completeStatus(String kind, ObjectNode object) {
    if (!kind.equals("Namespace") && !kind.equals("Pod")) {
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

  private static void deployment(ObjectNode spec) {
    put(spec, "replicas", 1);
    put(spec, "revisionHistoryLimit", 10);
    put(spec, "progressDeadlineSeconds", 600);
    ObjectNode strategy = spec.withObject("/strategy");
    put(strategy, "type", "RollingUpdate");
    if (strategy.path("type").asText().equals("RollingUpdate")) {
      ObjectNode rollingUpdate = strategy.withObject("/rollingUpdate");
      put(rollingUpdate, "maxSurge", "25%");
      put(rollingUpdate, "maxUnavailable", "25%");
    }
    template(spec);
  }

  private static void template(ObjectNode spec) {
    spec.withObject("/template/metadata");
    podSpec(spec.withObject("/template/spec"));
  }

  private static void podSpec(ObjectNode spec) {
    copy(spec, "serviceAccountName", "serviceAccount");
    copy(spec, "serviceAccount", "serviceAccountName");
    put(spec, "restartPolicy", "Always");
    put(spec, "dnsPolicy", "ClusterFirst");
    put(spec, "schedulerName", "default-scheduler");
    put(spec, "terminationGracePeriodSeconds", 30);
    spec.withObject("/securityContext");
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode fields) {
          container(fields);
        }
      }
    }
  }

  private static void copy(ObjectNode object, String from, String to) {
    if (object.has(from)) {
      put(object, to, object.path(from).asText());
    }
  }

  private static void container(ObjectNode container) {
    put(container, "terminationMessagePath", "/dev/termination-log");
    put(container, "terminationMessagePolicy", "File");
    container.withObject("/resources");
    String image = container.path("image").asText();
    String name = image.substring(image.lastIndexOf('/') + 1);
    boolean latest = !name.contains(":") || name.endsWith(":latest");
    put(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent");
    for (JsonNode port : container.path("ports")) {
      if (port instanceof ObjectNode fields) {
        put(fields, "protocol", "TCP");
      }
    }
  }

  private static void secret(ObjectNode secret) {
    put(secret, "type", "Opaque");
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

  private static void put(ObjectNode object, String field, String value) {
    if (!object.has(field)) {
      object.put(field, value);
    }
  }

  private static void put(ObjectNode object, String field, int value) {
    if (!object.has(field)) {
      object.put(field, value);
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
