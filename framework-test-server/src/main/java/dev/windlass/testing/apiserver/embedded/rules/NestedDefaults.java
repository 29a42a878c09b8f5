// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.windlass.testing.apiserver.embedded.objects.CanonicalQuantity;
import dev.windlass.testing.apiserver.embedded.types.BuiltInSchemas;
import dev.windlass.testing.apiserver.embedded.types.BuiltInValues;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import java.util.Set;

/**
 * The defaults of structures that occur in several kinds, such as probes and volumes, and the
 * notation of quantities. They follow the {@code defaults.go} of each API group of Kubernetes 1.34.
 */
final class NestedDefaults {
  private static final String RBAC = "rbac.authorization.k8s.io";
  private static final String PROTOCOL = "protocol";

  /** The permissions of files in a volume: 0644 in octal notation. */
  private static final int FILE_MODE = 420;

  private static final int TOKEN_SECONDS = 3600;

  private NestedDefaults() {}

  /** Completes all structures in an object of the given type. */
  static void apply(ResourceType type, ObjectNode object) {
    BuiltInValues.visit(BuiltInSchemas.of(type), object, NestedDefaults::complete);
  }

  private static JsonNode complete(String model, JsonNode value) {
    if (model.equals("Quantity")) {
      return value.isValueNode() ? TextNode.valueOf(CanonicalQuantity.of(value.asText())) : value;
    }
    if (value instanceof ObjectNode object) {
      complete(model, new Defaults(object));
    }
    return value;
  }

  private static void complete(String model, Defaults object) {
    switch (model) {
      case "Probe" ->
          object
              .put("timeoutSeconds", 1)
              .put("periodSeconds", 10)
              .put("successThreshold", 1)
              .put("failureThreshold", 3);
      case "HTTPGetAction" -> object.put("path", "/").put("scheme", "HTTP");
      case "GRPCAction" -> object.put("service", "");
      case "EnvVar" -> object.dropEmptyText("value");
      case "ContainerPort", "NetworkPolicyPort", "EndpointPort" -> object.put(PROTOCOL, "TCP");
      case "ObjectFieldSelector" -> object.put("apiVersion", "v1");
      case "ResourceFieldSelector" -> object.put("divisor", "0");
      case "Volume" -> object.putIfOnly("name", "emptyDir");
      case "SecretVolumeSource",
          "ConfigMapVolumeSource",
          "DownwardAPIVolumeSource",
          "ProjectedVolumeSource" ->
          object.put("defaultMode", FILE_MODE);
      case "HostPathVolumeSource" -> object.put("type", "");
      case "ServiceAccountTokenProjection" -> object.put("expirationSeconds", TOKEN_SECONDS);
      case "PersistentVolumeClaim" -> {
        object.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim");
        object.in("spec");
        object.in("status").put("phase", "Pending");
      }
      case "PersistentVolumeClaimTemplate" -> object.in("metadata");
      case "PersistentVolumeClaimSpec" -> object.put("volumeMode", "Filesystem");
      case "RoleRef" -> object.put("apiGroup", RBAC);
      case "Subject" -> {
        if (Set.of("User", "Group").contains(object.text("kind"))) {
          object.put("apiGroup", RBAC);
        }
      }
      case "PodFailurePolicyOnPodConditionsPattern" -> object.put("status", "True");
      default -> {}
    }
  }
}
