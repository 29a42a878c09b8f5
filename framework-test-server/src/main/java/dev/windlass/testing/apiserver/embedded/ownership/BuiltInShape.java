// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.ownership;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.patch.StrategicMergePatch;
import dev.windlass.testing.apiserver.embedded.types.ModelFields;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a field of a built-in kind, as declared by {@code listType}, {@code listMapKey} and
 * {@code mapType} in k8s.io/api. For the kinds that this server provides, the names of the field
 * and its parent are sufficient to determine the shape.
 *
 * @param parent the name of the field that contains this field; empty for the root
 * @param name the name of the field
 * @param type the type of the field in fabric8's class, or null if it is unknown
 */
record BuiltInShape(String parent, String name, @Nullable JavaType type) implements FieldShape {

  /**
   * The key fields of lists for which server-side apply uses more key fields than {@link
   * StrategicMergePatch}, by list name.
   */
  private static final Map<String, List<String>> OTHER_KEYS =
      Map.of(
          "topologySpreadConstraints",
          List.of("topologyKey", "whenUnsatisfiable"),
          "claims",
          List.of("name"));

  private static final Set<String> ATOMIC_LISTS =
      Set.of("taints", "tolerations", "/imagePullSecrets", "endpoints[]/addresses");

  /** The names of lists whose key field {@code name} defaults to the empty string. */
  private static final Set<String> DEFAULT_KEYS =
      Set.of("containers", "initContainers", "volumes", "env");

  private static final Set<String> ATOMIC_OBJECTS =
      Set.of(
          "ownerReferences[]",
          "secrets[]",
          "imagePullSecrets[]",
          "selector",
          "nodeSelector",
          "labelSelector",
          "podSelector",
          "namespaceSelector",
          "objectSelector",
          "roleRef",
          "secretKeyRef",
          "configMapKeyRef",
          "fieldRef",
          "resourceFieldRef",
          "port");

  static BuiltInShape of(Class<?> model) {
    return new BuiltInShape("", "", ModelFields.type(model));
  }

  @Override
  public FieldShape member(String field) {
    JavaType member = type == null ? null : ModelFields.member(type, field);
    return new BuiltInShape(name, field, member);
  }

  @Override
  public FieldShape elements() {
    return new BuiltInShape(name, name + "[]", type == null ? null : type.getContentType());
  }

  @Override
  public String typeName() {
    return type == null ? "" : ModelFields.jsonType(type);
  }

  @Override
  public boolean allows(String name) {
    return type == null || ModelFields.allows(type, name);
  }

  @Override
  public boolean declares(String name) {
    return true;
  }

  @Override
  public boolean hasElements() {
    return isSet()
        || OTHER_KEYS.containsKey(name)
        || (StrategicMergePatch.MERGE_KEYS.containsKey(name) && !ATOMIC_LISTS.contains(path()));
  }

  private String path() {
    return parent.isEmpty() || parent.equals("endpoints[]") ? parent + "/" + name : name;
  }

  @Override
  public boolean isAtomicObject() {
    return ATOMIC_OBJECTS.contains(name);
  }

  @Override
  public boolean isSet() {
    return StrategicMergePatch.SETS.contains(name);
  }

  @Override
  public @Nullable ObjectNode key(JsonNode element) {
    if (ATOMIC_LISTS.contains(path())) {
      return null;
    }
    ObjectNode key = Json.object();
    if (OTHER_KEYS.containsKey(name)) {
      OTHER_KEYS.get(name).forEach(field -> key.set(field, element.path(field)));
      return key;
    }
    for (String field : StrategicMergePatch.MERGE_KEYS.getOrDefault(name, List.of())) {
      if (element.has(field)) {
        key.set(field, element.path(field));
        if (name.equals("ports")) {
          key.put("protocol", element.path("protocol").asText("TCP"));
        }
        return key;
      }
    }
    return DEFAULT_KEYS.contains(name) ? key.put("name", "") : null;
  }
}
