// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import java.util.List;

/** The validation rules for Deployments and their Pods that users violate most often. */
final class PodRules {
  private static final String[] COUNTS = {
    "observedGeneration",
    "replicas",
    "updatedReplicas",
    "readyReplicas",
    "availableReplicas",
    "unavailableReplicas"
  };

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
   * Validates a Deployment.
   *
   * @param old the object before the write; an empty object for a create
   */
  static void ofDeployment(ObjectNode old, FieldChecks deployment) {
    FieldChecks spec = deployment.in("spec");
    spec.atLeast(0, "replicas", "minReadySeconds");
    JsonNode selector = spec.object().path("selector");
    if (selector.isMissingNode()) {
      spec.require("selector");
    } else {
      spec.check(!selector.isEmpty(), "selector", "must not be empty");
    }
    FieldChecks template = spec.in("template");
    JsonNode labels = template.in("metadata").object().path("labels");
    boolean matches = !selector.isMissingNode();
    for (var label : selector.path("matchLabels").properties()) {
      matches &= label.getValue().equals(labels.get(label.getKey()));
    }
    template.in("metadata").check(matches, "labels", "the selector does not match these labels");
    FieldChecks pod = template.in("spec").require("containers").oneOf("restartPolicy", "Always");
    pod.each("containers").forEach(container -> container.require("name", "image"));
    pod.unique("containers", "name");
    FieldChecks strategy = spec.in("strategy");
    boolean recreate = strategy.text("type").equals("Recreate");
    strategy.forbid(
        recreate && strategy.object().has("rollingUpdate"),
        "rollingUpdate",
        "must not be set if the type is Recreate");
    List<String> types = List.of("Recreate", "RollingUpdate");
    if (!types.contains(strategy.text("type"))) {
      spec.errors().add(FieldError.unsupported(strategy.path(), strategy.text("type"), types));
    }
    spec.immutable(old.path("spec"), "selector");
  }

  /** Validates the volumes and the update strategy of a workload. */
  static void ofWorkload(String kind, FieldChecks workload) {
    for (FieldChecks volume : workload.in("spec").in("template").in("spec").each("volumes")) {
      SOURCES.stream()
          .filter(volume.object()::has)
          .skip(1)
          .forEach(other -> volume.forbid(true, other, "a volume has one type"));
    }
    FieldChecks strategy = workload.in("spec").in("updateStrategy");
    boolean onDelete = kind.equals("StatefulSet") && strategy.text("type").equals("OnDelete");
    strategy.check(
        !onDelete || !strategy.object().has("rollingUpdate"),
        "rollingUpdate",
        "must not be set if the type is OnDelete");
  }

  /** Validates the status of a Deployment. */
  static void ofStatus(FieldChecks deployment) {
    FieldChecks status = deployment.in("status").atLeast(0, COUNTS);
    for (String field : List.of("updatedReplicas", "readyReplicas", "availableReplicas")) {
      atMost(status, field, "replicas");
    }
    atMost(status, "availableReplicas", "readyReplicas");
  }

  private static void atMost(FieldChecks status, String field, String limit) {
    long count = status.object().path(field).asLong();
    status.check(
        count <= status.object().path(limit).asLong(), field, "cannot be greater than " + limit);
  }
}
