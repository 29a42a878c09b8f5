// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.object.ObjectCodec;
import dev.windlass.object.ResourceType;
import java.util.Map;
import java.util.Set;

/**
 * Converts apply configurations of built-in types to the form in which the server stores them, so
 * that they can be compared with stored objects. The server converts such a configuration in the
 * same way each time that it is applied:
 *
 * <ul>
 *   <li>It writes quantities in a canonical notation; see {@link CanonicalQuantity}.
 *   <li>It sets defaults. Those within an atomic list or an atomic structure matter here: no other
 *       field shows that they are defaults, because {@code managedFields} contains only the list or
 *       the structure as a whole. The defaults of a stable API version never change.
 * </ul>
 *
 * <p>Other types are not converted. The server stores custom resources as they are, except for the
 * defaults in their schema, which a client does not know.
 */
public final class StoredForm {

  private static final String RBAC = "rbac.authorization.k8s.io";

  /** The groups whose types are built into kube-apiserver and have quantities or defaults. */
  private static final Set<String> BUILT_IN =
      Set.of(
          "",
          "admissionregistration.k8s.io",
          "apps",
          "autoscaling",
          "batch",
          "discovery.k8s.io",
          "networking.k8s.io",
          "node.k8s.io",
          "policy",
          RBAC,
          "storage.k8s.io");

  private static final String MODEL = "io.fabric8.kubernetes.api.model.";

  /**
   * The defaults in atomic lists and structures, by the name of the class. The objects of these
   * classes occur only in such lists and structures. A PersistentVolumeClaim occurs within another
   * object only as a template of a StatefulSet.
   */
  private static final Map<String, ObjectNode> DEFAULTS =
      Map.of(
          "ObjectFieldSelector",
          defaults(Map.of("apiVersion", "v1")),
          "ResourceFieldSelector",
          defaults(Map.of("divisor", "0")),
          "ServiceAccountTokenProjection",
          defaults(Map.of("expirationSeconds", 3600)),
          "PersistentVolumeClaim",
          defaults(
              Map.of(
                  "apiVersion",
                  "v1",
                  "kind",
                  "PersistentVolumeClaim",
                  "spec",
                  Map.of("volumeMode", "Filesystem"),
                  "status",
                  Map.of("phase", "Pending"))),
          "NetworkPolicyPort",
          defaults(Map.of("protocol", "TCP")),
          "EndpointPort",
          defaults(Map.of("protocol", "TCP")),
          "RoleRef",
          defaults(Map.of("apiGroup", RBAC)),
          "RuleWithOperations",
          defaults(Map.of("scope", "*")),
          "NamedRuleWithOperations",
          defaults(Map.of("scope", "*")),
          "PodFailurePolicyOnPodConditionsPattern",
          defaults(Map.of("status", "True")));

  private final boolean isBuiltIn;
  private final Class<?> model;

  private StoredForm(boolean isBuiltIn, Class<?> model) {
    this.isBuiltIn = isBuiltIn;
    this.model = model;
  }

  public static StoredForm of(ResourceType type, Class<?> model) {
    return new StoredForm(
        BUILT_IN.contains(type.group()) && model.getName().startsWith(MODEL), model);
  }

  /** Returns the fields of a configuration with the values that the server would store. */
  public Map<?, ?> ofConfiguration(Map<?, ?> configuration) {
    return isBuiltIn
        ? replaced(ObjectCodec.convert(configuration, ObjectNode.class), StoredForm::completed)
        : configuration;
  }

  /** Returns the content of an object for a comparison with a configuration. */
  public Map<?, ?> ofObject(Map<?, ?> object) {
    return isBuiltIn
        ? replaced(ObjectCodec.convert(object, ObjectNode.class), TypedTree.QUANTITIES)
        : object;
  }

  private Map<?, ?> replaced(ObjectNode tree, TypedTree.Replacement replacement) {
    TypedTree.replace(model, tree, replacement);
    return ObjectCodec.convert(tree, Map.class);
  }

  private static ObjectNode defaults(Map<String, ?> fields) {
    return ObjectCodec.convert(fields, ObjectNode.class);
  }

  private static JsonNode completed(Class<?> type, JsonNode value) {
    if (value instanceof ObjectNode object && type.getName().startsWith(MODEL)) {
      ObjectNode defaults = DEFAULTS.get(type.getSimpleName());
      if (defaults != null) {
        complete(object, defaults);
      } else if (type.getSimpleName().equals("Subject")
          && Set.of("User", "Group").contains(object.path("kind").asText())) {
        setMissing(object, "apiGroup", object.textNode(RBAC));
      }
    }
    return TypedTree.QUANTITIES.of(type, value);
  }

  private static void complete(ObjectNode object, ObjectNode defaults) {
    for (Map.Entry<String, JsonNode> field : defaults.properties()) {
      if (field.getValue() instanceof ObjectNode below) {
        complete(object.withObject("/" + field.getKey()), below);
      } else {
        setMissing(object, field.getKey(), field.getValue());
      }
    }
  }

  /** Sets a field that is absent or empty. For the server, an empty string is no value. */
  private static void setMissing(ObjectNode object, String field, JsonNode value) {
    JsonNode given = object.path(field);
    if (given.isMissingNode() || (given.isTextual() && given.asText().isEmpty())) {
      object.set(field, value);
    }
  }
}
