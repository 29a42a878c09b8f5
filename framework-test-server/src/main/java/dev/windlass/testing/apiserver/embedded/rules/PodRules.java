// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The validation rules for Deployments and their Pods that users violate most often. */
final class PodRules {
  private static final List<String> COUNTS =
      List.of(
          "observedGeneration",
          "replicas",
          "updatedReplicas",
          "readyReplicas",
          "availableReplicas",
          "unavailableReplicas");
  private static final String SPEC = "spec.template.spec";

  /** The usual sources of volumes, in the order in which the real server checks them. */
  private static final List<String> SOURCES =
      List.of(
          "emptyDir",
          "hostPath",
          "secret",
          "nfs",
          "persistentVolumeClaim",
          "downwardAPI",
          "configMap",
          "projected",
          "csi",
          "ephemeral",
          "image");

  private PodRules() {}

  /**
   * Validates a Deployment and returns the errors.
   *
   * @param old the object before the write; an empty object for a create
   */
  static List<FieldError> ofDeployment(ObjectNode old, ObjectNode deployment) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode spec = deployment.path("spec");
    Numbers.notNegative(spec, "spec", "replicas", errors);
    JsonNode selector = spec.path("selector");
    JsonNode labels = spec.path("template").path("metadata").path("labels");
    if (selector.isMissingNode()) {
      errors.add(FieldError.required("spec.selector", ""));
    } else if (selector.isEmpty()) {
      errors.add(
          FieldError.invalid(
              "spec.selector", selector, "empty selector is invalid for deployment"));
    }
    boolean matches = true;
    for (var label : selector.path("matchLabels").properties()) {
      matches &= label.getValue().equals(labels.get(label.getKey()));
    }
    if (!matches || selector.isMissingNode()) {
      errors.add(
          FieldError.invalid(
              "spec.template.metadata.labels",
              labels.isMissingNode() ? "null" : labels.toString(),
              "`selector` does not match template `labels`"));
    }
    JsonNode pod = spec.path("template").path("spec");
    containers(pod.path("containers"), errors);
    String restart = pod.path("restartPolicy").asText();
    if (!restart.equals("Always")) {
      errors.add(
          FieldError.unsupported(
              SPEC + ".restartPolicy", FieldError.quoted(restart), List.of("Always")));
    }
    JsonNode strategy = spec.path("strategy");
    String type = strategy.path("type").asText();
    if (type.equals("Recreate") && strategy.has("rollingUpdate")) {
      errors.add(
          FieldError.forbidden(
              "spec.strategy.rollingUpdate",
              "may not be specified when strategy `type` is 'Recreate'"));
    } else if (!Set.of("Recreate", "RollingUpdate").contains(type)) {
      List<String> types = List.of("Recreate", "RollingUpdate");
      String shown = "{\"Type\":\"" + type + "\"}";
      errors.add(FieldError.unsupported("spec.strategy", shown, types));
    }
    Numbers.notNegative(spec, "spec", "minReadySeconds", errors);
    JsonNode oldSelector = old.path("spec").path("selector");
    if (!old.isEmpty() && !oldSelector.equals(selector)) {
      String shown = selector.isMissingNode() ? "null" : selector.toString();
      errors.add(FieldError.invalid("spec.selector", shown, "field is immutable"));
    }
    return errors;
  }

  /** Validates the volumes and the update strategy of a workload and returns the errors. */
  static List<FieldError> ofWorkload(String kind, ObjectNode workload) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode spec = workload.path("spec");
    JsonNode volumes = spec.path("template").path("spec").path("volumes");
    for (int i = 0; i < volumes.size(); i++) {
      JsonNode volume = volumes.get(i);
      String at = SPEC + ".volumes[" + i + "].";
      SOURCES.stream()
          .filter(volume::has)
          .skip(1)
          .map(other -> FieldError.forbidden(at + other, "may not specify more than 1 volume type"))
          .forEach(errors::add);
    }
    JsonNode strategy = spec.path("updateStrategy");
    if (kind.equals("StatefulSet")
        && strategy.path("type").asText().equals("OnDelete")
        && strategy.has("rollingUpdate")) {
      errors.add(
          FieldError.invalid(
              "spec.updateStrategy.rollingUpdate",
              strategy.path("rollingUpdate"),
              "only allowed for updateStrategy 'RollingUpdate'"));
    }
    return errors;
  }

  /** Validates the status of a Deployment and returns the errors. */
  static List<FieldError> ofStatus(ObjectNode deployment) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode status = deployment.path("status");
    for (String field : COUNTS) {
      Numbers.notNegative(status, "status", field, errors);
    }
    for (String field : List.of("updatedReplicas", "readyReplicas", "availableReplicas")) {
      compare(status, field, "replicas", "status.replicas", errors);
    }
    compare(status, "availableReplicas", "readyReplicas", "readyReplicas", errors);
    return errors;
  }

  private static void compare(
      JsonNode status, String field, String limit, String shown, List<FieldError> errors) {
    long count = status.path(field).asLong();
    if (count > status.path(limit).asLong()) {
      String value = Long.toString(count);
      errors.add(FieldError.invalid("status." + field, value, "cannot be greater than " + shown));
    }
  }

  private static void containers(JsonNode containers, List<FieldError> errors) {
    if (containers.isEmpty()) {
      errors.add(FieldError.required(SPEC + ".containers", ""));
    }
    Set<String> names = new HashSet<>();
    for (int i = 0; i < containers.size(); i++) {
      String path = SPEC + ".containers[" + i + "].";
      String name = containers.get(i).path("name").asText("");
      if (name.isEmpty()) {
        errors.add(FieldError.required(path + "name", ""));
      } else if (!names.add(name)) {
        errors.add(FieldError.duplicate(path + "name", FieldError.quoted(name)));
      }
      if (containers.get(i).path("image").asText("").isEmpty()) {
        errors.add(FieldError.required(path + "image", ""));
      }
    }
  }
}
