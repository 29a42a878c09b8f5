// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI schemas of the built-in types, as a kube-apiserver publishes them. The file {@code
 * kubernetes.schemas} is generated: {@code BuiltInSchemasIT} compares it with a real server, and
 * writes it anew with {@code -Dschemas=write}. Each line has a name and a schema; a name is an
 * {@code apiVersion/kind}, or one to which other schemas refer.
 */
public final class BuiltInSchemas {
  /** The field of {@link #preset}. */
  static final String DEFAULT = "x-server-default";

  /** The field for the resource of a kind, as the discovery of a real server describes it. */
  static final String RESOURCE = "x-resource";

  private static final Map<String, String> LINES = read();
  private static final Map<String, JsonNode> PARSED = new ConcurrentHashMap<>();

  private BuiltInSchemas() {}

  private static Map<String, String> read() {
    Map<String, String> lines = new HashMap<>();
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(
                    BuiltInSchemas.class.getResourceAsStream("kubernetes.schemas")),
                StandardCharsets.UTF_8))) {
      for (String line = file.readLine(); line != null; line = file.readLine()) {
        int space = line.indexOf(' ');
        if (!line.startsWith("#")) {
          lines.put(line.substring(0, space), line.substring(space + 1));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return lines;
  }

  /** Returns the schema of a type's objects: that of its definition, or the built-in one. */
  public static JsonNode of(ResourceType type) {
    return type.schema() != null ? type.schema() : named(type.apiVersion() + "/" + type.kind());
  }

  /** Returns the schema of the metadata of each object. */
  public static JsonNode ofMetadata() {
    return named("ObjectMeta");
  }

  /** Returns the schema of the scale subresource. */
  public static JsonNode ofScale() {
    return named("Scale");
  }

  /** Returns the schema of a built-in field that can hold any object. */
  public static JsonNode ofAnyObject() {
    return named("io.k8s.apimachinery.pkg.runtime.RawExtension");
  }

  /** Returns the names of the schemas of all kinds, which are {@code apiVersion/kind}. */
  static List<String> kinds() {
    return LINES.keySet().stream().filter(name -> name.contains("/")).sorted().toList();
  }

  static JsonNode named(String name) {
    return PARSED.computeIfAbsent(
        name,
        missing -> Json.parse(LINES.getOrDefault(missing, "{}").getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Returns the value that a real server sets if a property is missing, or null if it sets none. An
   * object that is not a pointer in Go is never missing.
   */
  public static @Nullable JsonNode preset(JsonNode property) {
    return isStruct(property) ? property.get("default") : property.get(DEFAULT);
  }

  /** Returns whether the value of a property is an object that is never missing. */
  public static boolean isStruct(JsonNode property) {
    return property.has("$ref") && property.path("default").isObject();
  }

  /**
   * Returns the schema of a property or an element. If it refers to another schema, the result has
   * the content of both.
   */
  public static JsonNode resolve(JsonNode schema) {
    if (!schema.has("$ref")) {
      return schema;
    }
    JsonNode referred = named(schema.path("$ref").asText());
    int defaults = (schema.has("default") ? 1 : 0) + (schema.has(DEFAULT) ? 1 : 0);
    if (schema.size() == 1 + defaults) {
      return referred;
    }
    ObjectNode both = Json.object();
    both.setAll((ObjectNode) referred);
    both.setAll((ObjectNode) schema);
    return both;
  }
}
