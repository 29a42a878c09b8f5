// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.windlass.testing.apiserver.embedded.objects.CanonicalQuantity;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.schema.CrdRules;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.BuiltInValues;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;

/**
 * The defaults of built-in kinds that depend on other fields, and the initial status of new
 * objects. All other defaults are in the generated schemas. With them, a controller that compares
 * its desired object with the stored object finds the same differences as with a real server.
 */
final class BuiltInDefaults {
  /** The finalizer that remains in {@code spec.finalizers} until the namespace is empty. */
  private static final String NAMESPACE_FINALIZER = "kubernetes";

  private static final String ROLLING = "RollingUpdate";
  private static final int BACKOFF_LIMIT = 6;

  private BuiltInDefaults() {}

  /** Sets the defaults of a kind. Drops nulls and certain empty fields, as Go's decoding does. */
  static void apply(ResourceType type, ObjectNode object) {
    dropNulls(object);
    switch (type.kind()) {
      case "DaemonSet" ->
          new Defaults(Meta.of(object).json())
              .in("annotations")
              .put("deprecated.daemonset.template.generation", "1");
      case "Job" -> job(object, new Defaults(object).in("spec"));
      case "ReplicationController" -> defaultLabels(object, object.path("spec"));
      case "Pod" -> pod(new Defaults(object).in("spec"));
      case "Secret" -> secret(object);
      case "ConfigMap" -> dropEmpty(object, "data", "binaryData");
      case "Namespace" -> {
        Meta meta = Meta.of(object);
        if (!meta.name().isEmpty()) {
          meta.json().withObject("/labels").put("kubernetes.io/metadata.name", meta.name());
        }
      }
      case "CustomResourceDefinition" -> CrdRules.defaults(object);
      default -> {}
    }
    BuiltInValues.visit(BuiltInSchemas.of(type), object, BuiltInDefaults::complete);
  }

  /** Sets the initial status of a new object, and the finalizers of a new namespace. */
  static void initialStatus(ResourceType type, ObjectNode object) {
    switch (type.kind()) {
      case "Namespace" -> {
        object.putObject("spec").putArray("finalizers").add(NAMESPACE_FINALIZER);
        object.putObject("status").put("phase", "Active");
      }
      case "Pod" ->
          object.putObject("status").put("phase", "Pending").put("qosClass", "BestEffort");
      default -> BuiltInValues.visit(BuiltInSchemas.of(type), object, (schema, value) -> value);
    }
  }

  private static JsonNode complete(String schema, JsonNode value) {
    if (schema.equals("Quantity")) {
      return value.isValueNode() ? TextNode.valueOf(CanonicalQuantity.of(value.asText())) : value;
    }
    if (value instanceof ObjectNode object) {
      complete(schema, new Defaults(object));
    }
    return value;
  }

  /** Sets the defaults of an object within an object, before those in its schema. */
  private static void complete(String schema, Defaults object) {
    switch (schema) {
      case "DeploymentStrategy", "DaemonSetUpdateStrategy" -> {
        if (Set.of("", ROLLING).contains(object.text("type"))) {
          object.in("rollingUpdate");
        }
      }
      case "StatefulSetUpdateStrategy" -> {
        if (!object.has("type")) {
          object.in("rollingUpdate");
        }
      }
      case "PodSpec" -> {
        copy(object, "serviceAccountName", "serviceAccount");
        copy(object, "serviceAccount", "serviceAccountName");
      }
      case "Container" -> {
        String image = object.text("image");
        String name = image.substring(image.lastIndexOf('/') + 1);
        boolean latest = !name.contains(":") || name.endsWith(":latest");
        object.put("imagePullPolicy", latest ? "Always" : "IfNotPresent");
      }
      case "EnvVar" -> object.dropEmptyText("value");
      case "Volume" -> object.putIfOnly("name", "emptyDir");
      case "ServiceSpec" -> service(object);
      case "ServicePort" -> copy(object, "port", "targetPort");
      case "NetworkPolicySpec" -> {
        if (!object.has("policyTypes")) {
          ArrayNode types = object.object().putArray("policyTypes").add("Ingress");
          if (!object.object().path("egress").isEmpty()) {
            types.add("Egress");
          }
        }
      }
      case "HorizontalPodAutoscalerBehavior" -> {
        Defaults up = object.in("scaleUp").put("stabilizationWindowSeconds", 0);
        up.set("policies", policies(policy("Pods", 4), policy("Percent", 100)));
        object.in("scaleDown").set("policies", policies(policy("Percent", 100)));
      }
      case "Subject" -> {
        if (Set.of("User", "Group").contains(object.text("kind"))) {
          object.put("apiGroup", "rbac.authorization.k8s.io");
        }
      }
      default -> {}
    }
  }

  private static void copy(Defaults object, String from, String to) {
    if (object.has(from)) {
      object.set(to, object.object().path(from));
    }
  }

  private static void job(ObjectNode job, Defaults spec) {
    if (!spec.has("parallelism")) {
      spec.put("completions", 1);
    }
    int limit = spec.has("backoffLimitPerIndex") ? Integer.MAX_VALUE : BACKOFF_LIMIT;
    spec.put("parallelism", 1)
        .put("backoffLimit", limit)
        .put("completionMode", "NonIndexed")
        .put("suspend", false)
        .put(
            "podReplacementPolicy", spec.has("podFailurePolicy") ? "Failed" : "TerminatingOrFailed")
        .put("manualSelector", false);
    defaultLabels(job, spec.object());
  }

  /** Gives an object the labels of its Pods if it has none of its own. */
  private static void defaultLabels(ObjectNode object, JsonNode spec) {
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    ObjectNode metadata = Meta.of(object).json();
    if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
      metadata.set("labels", labels.deepCopy());
    }
  }

  /**
   * Sets the selector of a new Job and the labels of its Pods, unless the user selects the Pods.
   */
  static void selectOwnPods(ObjectNode job) {
    ObjectNode spec = job.withObject("/spec");
    if (spec.path("manualSelector").asBoolean()) {
      return;
    }
    Meta meta = Meta.of(job);
    ObjectNode labels = spec.withObject("/template/metadata").withObject("/labels");
    for (String prefix : List.of("", "batch.kubernetes.io/")) {
      labels.put(prefix + "job-name", meta.name());
      labels.put(prefix + "controller-uid", meta.text("uid"));
    }
    spec.withObject("/selector")
        .withObject("/matchLabels")
        .put("batch.kubernetes.io/controller-uid", meta.text("uid"));
    defaultLabels(job, spec);
  }

  /** Sets the defaults of a Pod that a Pod template does not get. */
  private static void pod(Defaults spec) {
    spec.put("enableServiceLinks", true);
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.object().path(list)) {
        if (container.path("resources") instanceof ObjectNode resources) {
          for (var limit : resources.path("limits").properties()) {
            ObjectNode requests = resources.withObject("/requests");
            if (!requests.has(limit.getKey())) {
              requests.set(limit.getKey(), limit.getValue());
            }
          }
        }
      }
    }
  }

  private static void service(Defaults spec) {
    if (spec.text("sessionAffinity").equals("ClientIP")) {
      spec.in("sessionAffinityConfig");
    } else if (Set.of("", "None").contains(spec.text("sessionAffinity"))) {
      spec.object().remove("sessionAffinityConfig");
    }
    if (!spec.text("type").equals("ExternalName")) {
      spec.put("internalTrafficPolicy", "Cluster");
    }
  }

  private static ArrayNode policies(ObjectNode... policies) {
    return JsonNodeFactory.instance.arrayNode().addAll(List.of(policies));
  }

  private static ObjectNode policy(String type, int value) {
    return Json.object().put("type", type).put("value", value).put("periodSeconds", 15);
  }

  private static void secret(ObjectNode secret) {
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
