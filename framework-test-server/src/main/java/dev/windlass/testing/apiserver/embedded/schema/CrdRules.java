// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Names;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.ScalePaths;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Sets the defaults of a CustomResourceDefinition, and derives the types that it defines. */
public final class CrdRules {
  private CrdRules() {}

  /** Returns the resource that {@code crd} defines. */
  public static GroupResource resource(ObjectNode crd) {
    JsonNode spec = crd.path("spec");
    return new GroupResource(
        spec.path("group").asText(), spec.path("names").path("plural").asText());
  }

  /** Returns one type for each served version. */
  public static List<ResourceType> types(ObjectNode crd) {
    JsonNode spec = crd.path("spec");
    List<ResourceType> types = new ArrayList<>();
    for (JsonNode version : spec.path("versions")) {
      if (version.path("served").asBoolean()
          && version.path("schema").path("openAPIV3Schema") instanceof ObjectNode schema) {
        boolean namespaced = spec.path("scope").asText().equals("Namespaced");
        types.add(
            ResourceType.custom(
                resource(crd),
                version.path("name").asText(),
                names(spec.path("names")),
                traits(version, namespaced),
                schema,
                scalePaths(version.path("subresources").path("scale")),
                printerColumns(version)));
      }
    }
    return types;
  }

  private static List<JsonNode> printerColumns(JsonNode version) {
    List<JsonNode> columns = new ArrayList<>();
    version.path("additionalPrinterColumns").forEach(columns::add);
    return columns;
  }

  private static Names names(JsonNode names) {
    List<String> shortNames = new ArrayList<>();
    names.path("shortNames").forEach(name -> shortNames.add(name.asText()));
    return new Names(
        names.path("kind").asText(),
        names.path("listKind").asText(),
        names.path("singular").asText(),
        shortNames);
  }

  private static Set<Trait> traits(JsonNode version, boolean namespaced) {
    Set<Trait> traits = EnumSet.of(Trait.GENERATION);
    if (namespaced) {
      traits.add(Trait.NAMESPACED);
    }
    if (version.path("subresources").has("status")) {
      traits.add(Trait.STATUS);
    }
    if (version.path("subresources").has("scale")) {
      traits.add(Trait.SCALE);
    }
    return traits;
  }

  private static ScalePaths scalePaths(JsonNode scale) {
    return new ScalePaths(
        scale.path("specReplicasPath").asText("").replace('.', '/'),
        scale.path("statusReplicasPath").asText("").replace('.', '/'),
        scale.path("labelSelectorPath").asText("").replace('.', '/'));
  }

  /** Sets the default conversion strategy, and the names that can be derived from other names. */
  public static void defaults(ObjectNode crd) {
    ObjectNode names = crd.withObject("/spec/names");
    String kind = names.path("kind").asText("");
    if (!names.hasNonNull("listKind")) {
      names.put("listKind", kind + "List");
    }
    if (!names.hasNonNull("singular")) {
      names.put("singular", kind.toLowerCase(Locale.ROOT));
    }
    ObjectNode conversion = crd.withObject("/spec/conversion");
    if (!conversion.hasNonNull("strategy")) {
      conversion.put("strategy", "None");
    }
  }

  public static List<FieldError> validate(ObjectNode crd) {
    List<FieldError> errors = new ArrayList<>();
    JsonNode spec = crd.path("spec");
    require(errors, spec, "spec", "group");
    require(errors, spec, "spec", "scope");
    require(errors, spec.path("names"), "spec.names", "plural");
    require(errors, spec.path("names"), "spec.names", "kind");
    String name = Meta.of(crd).name();
    if (!name.equals(resource(crd).toString())) {
      errors.add(
          FieldError.invalid(
              "metadata.name", '"' + name + '"', "must be spec.names.plural+\".\"+spec.group"));
    }
    int stored = 0;
    int index = 0;
    for (JsonNode version : spec.path("versions")) {
      stored += version.path("storage").asBoolean() ? 1 : 0;
      if (!version.path("schema").path("openAPIV3Schema").isObject()) {
        errors.add(
            FieldError.required(
                "spec.versions[%d].schema.openAPIV3Schema".formatted(index),
                "schemas are required"));
      }
      index++;
    }
    if (stored != 1) {
      errors.add(
          FieldError.invalid(
              "spec.versions",
              spec.path("versions"),
              "must have exactly one version marked as storage version"));
    }
    return errors;
  }

  private static void require(List<FieldError> errors, JsonNode node, String path, String field) {
    if (node.path(field).asText("").isEmpty()) {
      errors.add(FieldError.required(path + "." + field, ""));
    }
  }
}
