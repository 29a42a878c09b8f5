// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.util.List;

/**
 * Checks that an update does not change immutable fields of StatefulSets, DaemonSets, ReplicaSets,
 * Jobs, PersistentVolumeClaims and role bindings. The rules follow the {@code validation.go} of
 * each API group of Kubernetes 1.34.
 */
final class ImmutableSpecRules {
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

  private ImmutableSpecRules() {}

  /** Validates an update from {@code old} to {@code now}. */
  static void onUpdate(String kind, ObjectNode old, FieldChecks now) {
    JsonNode before = old.path(SPEC);
    FieldChecks after = now.in(SPEC);
    switch (kind) {
      case "StatefulSet" ->
          now.forbid(
              !Json.same(fixed(before), fixed(after.object())),
              SPEC,
              "only these fields can change: " + List.of(MUTABLE_IN_STATEFUL_SETS));
      case "DaemonSet", "ReplicaSet" -> after.immutable(before, "selector");
      case "Job" -> job(old, after);
      case "PersistentVolumeClaim" -> claim(old, now);
      case "RoleBinding", "ClusterRoleBinding" -> now.immutable(old, "roleRef");
      default -> {}
    }
  }

  private static ObjectNode fixed(JsonNode spec) {
    return spec instanceof ObjectNode given
        ? Json.without(given, MUTABLE_IN_STATEFUL_SETS)
        : Json.object();
  }

  private static void job(ObjectNode old, FieldChecks after) {
    JsonNode before = old.path(SPEC);
    JsonNode now = after.object();
    boolean elastic =
        after.text("completionMode").equals("Indexed")
            && now.path(COMPLETIONS).equals(now.path("parallelism"))
            && now.has(COMPLETIONS)
            && before.has(COMPLETIONS);
    if (!elastic) {
      after.immutable(before, COMPLETIONS);
    }
    boolean notStarted = before.path("suspend").asBoolean() && !old.path("status").has("startTime");
    if (!notStarted) { // while it is suspended, its Pods can still be scheduled elsewhere
      after.immutable(before, TEMPLATE);
    }
    after.immutable(
        before,
        "selector",
        "completionMode",
        "podFailurePolicy",
        "backoffLimitPerIndex",
        "managedBy",
        "successPolicy");
  }

  private static void claim(ObjectNode old, FieldChecks now) {
    ObjectNode before = old.withObject("/spec").deepCopy();
    ObjectNode after = ((ObjectNode) now.object()).withObject("/spec").deepCopy();
    if (before.path("volumeName").asText("").isEmpty()) {
      before.remove("volumeName");
      after.remove("volumeName");
    }
    if (now.in("status").text("phase").equals("Bound")) {
      for (ObjectNode spec : List.of(before, after)) {
        spec.remove("volumeAttributesClassName");
        spec.withObject("/resources").withObject("/requests").remove("storage");
      }
    }
    String why =
        "only resources.requests and volumeAttributesClassName of a bound claim can change";
    now.forbid(!before.equals(after), SPEC, why);
    // A real server names this field without its parent.
    new FieldChecks(after, "", now.errors()).immutable(before, "volumeMode");
  }
}
