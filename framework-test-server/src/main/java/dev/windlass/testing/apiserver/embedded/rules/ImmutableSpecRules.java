// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that an update does not change immutable fields of StatefulSets, DaemonSets, ReplicaSets,
 * Jobs, PersistentVolumeClaims and role bindings. The rules follow the {@code validation.go} of
 * each API group of Kubernetes 1.34.
 */
final class ImmutableSpecRules {
  private static final String IMMUTABLE = "field is immutable";
  private static final String SPEC = "spec";
  private static final String COMPLETIONS = "completions";
  private static final String TEMPLATE = "template";

  private static final String[] MUTABLE_IN_STATEFUL_SETS = {
    "replicas",
    "ordinals",
    TEMPLATE,
    "updateStrategy",
    "revisionHistoryLimit",
    "persistentVolumeClaimRetentionPolicy",
    "minReadySeconds"
  };

  private static final String STATEFUL_SET =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
          + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
          + " 'minReadySeconds' are forbidden";

  private static final String CLAIM =
      "spec is immutable after creation except resources.requests and volumeAttributesClassName"
          + " for bound claims";

  private ImmutableSpecRules() {}

  /** Validates an update from {@code old} to {@code now} and returns the errors. */
  static List<FieldError> onUpdate(String kind, ObjectNode old, ObjectNode now) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode before = old.path(SPEC);
    JsonNode after = now.path(SPEC);
    switch (kind) {
      case "StatefulSet" -> {
        if (!Json.same(fixed(before), fixed(after))) {
          errors.add(FieldError.forbidden(SPEC, STATEFUL_SET));
        }
      }
      case "DaemonSet", "ReplicaSet" -> same(before, after, "selector", errors);
      case "Job" -> job(old, after, errors);
      case "PersistentVolumeClaim" -> claim(old, now, errors);
      case "RoleBinding", "ClusterRoleBinding" -> {
        if (!old.path("roleRef").equals(now.path("roleRef"))) {
          errors.add(FieldError.invalid("roleRef", now.path("roleRef"), "cannot change roleRef"));
        }
      }
      default -> {}
    }
    return errors;
  }

  private static ObjectNode fixed(JsonNode spec) {
    return spec instanceof ObjectNode given
        ? Json.without(given, MUTABLE_IN_STATEFUL_SETS)
        : Json.object();
  }

  private static void same(JsonNode before, JsonNode after, String field, List<FieldError> errors) {
    if (!before.path(field).equals(after.path(field))) {
      errors.add(FieldError.invalid(SPEC + "." + field, after.path(field), IMMUTABLE));
    }
  }

  private static void job(ObjectNode old, JsonNode after, List<FieldError> errors) {
    JsonNode before = old.path(SPEC);
    boolean elastic =
        after.path("completionMode").asText().equals("Indexed")
            && after.path(COMPLETIONS).equals(after.path("parallelism"))
            && after.has(COMPLETIONS)
            && before.has(COMPLETIONS);
    if (!elastic) {
      same(before, after, COMPLETIONS, errors);
    }
    same(before, after, "selector", errors);
    boolean notStarted = before.path("suspend").asBoolean() && !old.path("status").has("startTime");
    if (!notStarted) { // while it is suspended, its Pods can still be scheduled elsewhere
      same(before, after, TEMPLATE, errors);
    }
    for (String field :
        List.of(
            "completionMode",
            "podFailurePolicy",
            "backoffLimitPerIndex",
            "managedBy",
            "successPolicy")) {
      same(before, after, field, errors);
    }
  }

  private static void claim(ObjectNode old, ObjectNode now, List<FieldError> errors) {
    ObjectNode before = old.withObject("/spec").deepCopy();
    ObjectNode after = now.withObject("/spec").deepCopy();
    if (before.path("volumeName").asText("").isEmpty()) {
      before.remove("volumeName");
      after.remove("volumeName");
    }
    if (now.path("status").path("phase").asText().equals("Bound")) {
      for (ObjectNode spec : List.of(before, after)) {
        spec.remove("volumeAttributesClassName");
        spec.withObject("/resources").withObject("/requests").remove("storage");
      }
    }
    if (!before.equals(after)) {
      errors.add(FieldError.forbidden(SPEC, CLAIM));
    }
    if (!old.path(SPEC).path("volumeMode").equals(now.path(SPEC).path("volumeMode"))) {
      errors.add(FieldError.invalid("volumeMode", now.path(SPEC).path("volumeMode"), IMMUTABLE));
    }
  }
}
