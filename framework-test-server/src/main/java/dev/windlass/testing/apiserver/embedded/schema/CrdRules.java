// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.cel.SchemaRules;
import dev.windlass.testing.apiserver.embedded.objects.FieldChecks;
import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.GroupResource;
import dev.windlass.testing.apiserver.embedded.objects.Meta;
import dev.windlass.testing.apiserver.embedded.types.ObjectVersions;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Names;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.ScalePaths;
import dev.windlass.testing.apiserver.embedded.types.ResourceType.Trait;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.StreamSupport;

/**
 * Validates CustomResourceDefinitions, sets their defaults, and derives the types that they define.
 */
public final class CrdRules {
  private static final String MISSING =
      "is not in spec.versions, but objects may still be stored in it until a storage migration"
          + " removes it from status.storedVersions";

  private CrdRules() {}

  /** Returns the resource that {@code crd} defines. */
  public static GroupResource resource(ObjectNode crd) {
    JsonNode spec = crd.path("spec");
    return new GroupResource(
        spec.path("group").asText(), spec.path("names").path("plural").asText());
  }

  /**
   * Returns one type for each served version, in the real server's order of preference.
   *
   * @param conversion the conversion that {@code crd} specifies
   */
  public static List<ResourceType> types(ObjectNode crd, VersionConversion conversion) {
    JsonNode spec = crd.path("spec");
    ObjectVersions versions = versions(crd, conversion);
    List<ResourceType> types = new ArrayList<>();
    for (JsonNode version : spec.path("versions")) {
      if (version.path("served").asBoolean() && schema(version) instanceof ObjectNode schema) {
        boolean namespaced = spec.path("scope").asText().equals("Namespaced");
        types.add(
            new ResourceType(
                resource(crd),
                version.path("name").asText(),
                names(spec.path("names")),
                traits(version, namespaced),
                schema,
                scalePaths(version.path("subresources").path("scale")),
                versions));
      }
    }
    types.sort(Comparator.comparing(ResourceType::version, VersionOrder.PREFERRED_FIRST));
    return types;
  }

  private static ObjectVersions versions(ObjectNode crd, VersionConversion conversion) {
    String group = resource(crd).group();
    Map<String, ObjectNode> schemas = new HashMap<>();
    String stored = "";
    for (JsonNode version : crd.path("spec").path("versions")) {
      String apiVersion = group + "/" + version.path("name").asText();
      if (schema(version) instanceof ObjectNode schema) {
        schemas.put(apiVersion, schema);
      }
      stored = version.path("storage").asBoolean() ? apiVersion : stored;
    }
    String definedAt = Meta.of(crd).resourceVersion();
    return new CustomVersions(
        stored, schemas, conversion, definedAt.isEmpty() ? 0 : Long.parseLong(definedAt));
  }

  private static JsonNode schema(JsonNode version) {
    return version.path("schema").path("openAPIV3Schema");
  }

  private static Names names(JsonNode names) {
    List<String> shortNames = new ArrayList<>();
    names.path("shortNames").forEach(name -> shortNames.add(name.asText()));
    List<String> categories = new ArrayList<>();
    names.path("categories").forEach(name -> categories.add(name.asText()));
    return new Names(
        names.path("kind").asText(),
        names.path("listKind").asText(),
        names.path("singular").asText(),
        shortNames,
        categories);
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

  /**
   * Sets the default conversion strategy, the names that are derived from the kind, and the default
   * port of the conversion webhook's Service.
   */
  public static void defaults(ObjectNode crd) {
    ObjectNode names = crd.withObject("/spec/names");
    String kind = names.path("kind").asText("");
    if (!names.hasNonNull("listKind")) {
      names.put("listKind", kind + "List");
    }
    if (!names.hasNonNull("singular")) {
      names.put("singular", kind.toLowerCase(Locale.ROOT));
    }
    if (!crd.path("spec").hasNonNull("conversion")) {
      crd.withObject("/spec/conversion").put("strategy", "None");
    }
    if (crd.path("spec").path("conversion").path("webhook").path("clientConfig").path("service")
            instanceof ObjectNode service
        && !service.hasNonNull("port")) {
      service.put("port", 443);
    }
  }

  /**
   * Adds the storage version to {@code status.storedVersions}, which lists all versions in which
   * objects may be stored.
   */
  public static void recordStorageVersion(ObjectNode crd) {
    ObjectNode status =
        crd.path("status") instanceof ObjectNode before
            ? before.deepCopy()
            : JsonNodeFactory.instance.objectNode();
    ArrayNode stored = status.withArray("storedVersions");
    for (JsonNode version : crd.path("spec").path("versions")) {
      boolean known =
          StreamSupport.stream(stored.spliterator(), false).anyMatch(version.path("name")::equals);
      if (version.path("storage").asBoolean() && !known) {
        stored.add(version.path("name").asText());
      }
    }
    crd.set("status", status);
  }

  public static void validate(FieldChecks crd) {
    FieldChecks spec = crd.in("spec").require("group", "scope");
    spec.in("names").require("plural", "kind");
    ObjectNode object = (ObjectNode) crd.object();
    crd.in("metadata")
        .check(
            Meta.of(object).name().equals(resource(object).toString()),
            "name",
            "must be spec.names.plural+\".\"+spec.group");
    int stored = 0;
    Set<String> names = new HashSet<>();
    for (FieldChecks version : spec.each("versions")) {
      version.in("schema").require("openAPIV3Schema");
      stored += version.object().path("storage").asBoolean() ? 1 : 0;
      names.add(version.text("name"));
    }
    spec.check(stored == 1, "versions", "must have exactly one version marked as storage version");
    crd.errors().addAll(contentRules(spec.object().path("versions")));
    ConversionRules.validate(spec.in("conversion"));
    for (FieldChecks version : crd.in("status").each("storedVersions")) {
      if (!names.contains(version.object().asText())) {
        crd.errors().add(FieldError.invalid(version.path(), version.object(), MISSING));
      }
    }
  }

  /**
   * Returns the validation rules of all versions that this server does not evaluate, each with the
   * reason.
   */
  public static Map<String, String> unsupportedRules(ObjectNode crd) {
    Map<String, String> rules = new TreeMap<>();
    for (JsonNode version : crd.path("spec").path("versions")) {
      rules.putAll(SchemaRules.unsupported(schema(version)));
    }
    return rules;
  }

  /** Validates the CEL rules of all versions and returns the errors. */
  private static List<FieldError> contentRules(JsonNode versions) {
    Set<JsonNode> schemas = new HashSet<>();
    versions.forEach(version -> schemas.add(schema(version)));
    if (schemas.size() == 1) {
      // If all versions share a schema, the real server reports its errors at the path of the
      // definition's schema.
      return SchemaRules.errors(schema(versions.path(0)), "spec.validation.openAPIV3Schema");
    }
    List<FieldError> errors = new ArrayList<>();
    for (int i = 0; i < versions.size(); i++) {
      String path = "spec.versions[%d].schema.openAPIV3Schema".formatted(i);
      errors.addAll(SchemaRules.errors(schema(versions.path(i)), path));
    }
    return errors;
  }
}
