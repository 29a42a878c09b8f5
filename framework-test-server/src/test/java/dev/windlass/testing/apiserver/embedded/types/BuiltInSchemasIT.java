// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.types;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe.Reply;
import dev.windlass.testing.apiserver.embedded.rules.Samples;
import dev.windlass.testing.apiserver.embedded.rules.Samples.Sample;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The file of {@link BuiltInSchemas} is what a real server publishes. With {@code -Dschemas=write},
 * this writes the file anew, for another version of Kubernetes. The default of a field is the value
 * that the server returns for all samples that do not have the field.
 */
final class BuiltInSchemasIT {

  private static final Path FILE =
      Path.of(
          "src/main/resources/dev/windlass/testing/apiserver/embedded/types/kubernetes.schemas");

  private static final String METADATA = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

  private static final String SCALE = "io.k8s.api.autoscaling.v1.Scale";

  private static final Set<String> KEPT =
      Set.of(
          "type",
          "required",
          "enum",
          "format",
          "default",
          "x-kubernetes-list-type",
          "x-kubernetes-list-map-keys",
          "x-kubernetes-map-type",
          "x-kubernetes-patch-merge-key",
          "x-kubernetes-patch-strategy");

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  private final Map<String, JsonNode> published = new TreeMap<>();
  private final Map<String, ObjectNode> kept = new TreeMap<>();

  /** The resources of a real server, by {@code apiVersion/kind}. */
  private final Map<String, ObjectNode> resources = new TreeMap<>();

  /** What a real server returned for each property that was not sent. */
  private final Map<JsonNode, Set<JsonNode>> observed = new IdentityHashMap<>();

  @Test
  void areThoseOfARealServer() throws IOException {
    HttpProbe http = HttpProbe.on(kubernetes.server());
    discover(http);
    published.forEach(
        (name, schema) -> {
          for (JsonNode kind : schema.path("x-kubernetes-group-version-kind")) {
            String as = name(kind);
            // Other tests on the shared server define resources of their own.
            if (name.startsWith("io.k8s.api")
                && name.endsWith("." + kind.path("kind").asText())
                && resources.containsKey(as)) {
              keep(name, as);
              kept.get(as).set(BuiltInSchemas.RESOURCE, resources.get(as));
            }
          }
        });
    keep(METADATA, "ObjectMeta");
    keep(SCALE, "Scale");
    for (Sample sample : Samples.all()) {
      JsonNode resource = resources.get(sample.type());
      String path =
          sample.path(resource.path("name").asText(), resource.path("namespaced").asBoolean());
      Reply reply = http.post(path + "?dryRun=All", sample.object().toString());
      assertThat(reply.code()).as(sample + ": " + reply.text()).isEqualTo(201);
      observe(
          Json.without((ObjectNode) kept.get(sample.type()).path("properties"), "metadata"),
          sample.object(),
          reply.json());
    }
    observed.forEach(
        (property, values) -> {
          if (values.size() == 1 && !values.contains(MissingNode.getInstance())) {
            ((ObjectNode) property).set(BuiltInSchemas.DEFAULT, values.iterator().next());
          }
        });
    String version = http.get("/version").json().path("gitVersion").asText();
    StringBuilder text =
        new StringBuilder(
            "# The schemas of kube-apiserver "
                + version
                + ", without descriptions, with the defaults\n# that it sets in samples.yaml, written by BuiltInSchemasIT.\n"
                + "# Copyright The Kubernetes Authors. SPDX-License-Identifier: Apache-2.0\n");
    kept.forEach((name, schema) -> text.append(name).append(' ').append(schema).append('\n'));
    if ("write".equals(System.getProperty("schemas"))) {
      Files.writeString(FILE, text);
    }
    assertThat(Files.readString(FILE)).isEqualTo(text.toString());
  }

  /** Compares the values of an object as it was sent and as it was returned. */
  private void observe(ObjectNode properties, JsonNode sent, JsonNode returned) {
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      JsonNode before = sent.path(property.getKey());
      JsonNode after = returned.path(property.getKey());
      JsonNode schema = resolve(property.getValue());
      boolean time = schema.path("format").asText().equals("date-time");
      if (!time && (before.isMissingNode() || (before.isTextual() && before.asText().isEmpty()))) {
        JsonNode value = after.isObject() && schema.has("properties") ? Json.object() : after;
        observed.computeIfAbsent(property.getValue(), p -> new HashSet<>()).add(value);
      }
      compare(schema, before, after);
    }
  }

  private void compare(JsonNode schema, JsonNode before, JsonNode after) {
    if (after.isObject() && schema.path("properties") instanceof ObjectNode properties) {
      observe(properties, before, after);
    } else if (after.isObject()) {
      JsonNode values = resolve(schema.path("additionalProperties"));
      after.properties().forEach(e -> compare(values, before.path(e.getKey()), e.getValue()));
    }
    for (int i = 0; i < before.size() && after.isArray(); i++) {
      compare(resolve(schema.path("items")), before.path(i), after.path(i));
    }
  }

  private JsonNode resolve(JsonNode schema) {
    return schema.has("$ref") ? kept.get(schema.path("$ref").asText()) : schema;
  }

  /** Reads the resources that a client can create and list, and the schemas of their groups. */
  private void discover(HttpProbe http) {
    List<String> versions = new ArrayList<>(List.of("v1"));
    for (JsonNode group : http.get("/apis").json().path("groups")) {
      if (!group.path("name").asText().equals("apiregistration.k8s.io")) {
        versions.add(group.at("/preferredVersion/groupVersion").asText());
      }
    }
    for (String version : versions) {
      String path = (version.contains("/") ? "/apis/" : "/api/") + version;
      http.get("/openapi/v3" + path)
          .json()
          .at("/components/schemas")
          .properties()
          .forEach(schema -> published.put(schema.getKey(), schema.getValue()));
      JsonNode served = http.get(path).json().path("resources");
      Set<String> names = new HashSet<>();
      served.forEach(resource -> names.add(resource.path("name").asText()));
      for (JsonNode resource : served) {
        String name = resource.path("name").asText();
        String verbs = resource.path("verbs").toString();
        if (!name.contains("/") && verbs.contains("create") && verbs.contains("list")) {
          ObjectNode kept =
              Json.without(
                  (ObjectNode) resource, "kind", "verbs", "storageVersionHash", "group", "version");
          if (names.contains(name + "/scale")) {
            kept.put("scale", true);
          }
          resources.put(version + "/" + resource.path("kind").asText(), kept);
        }
      }
    }
  }

  private static String name(JsonNode kind) {
    String group = kind.path("group").asText();
    return (group.isEmpty() ? "" : group + "/")
        + kind.path("version").asText()
        + "/"
        + kind.path("kind").asText();
  }

  /** Keeps a schema, and all schemas to which it refers. */
  private void keep(String name, String as) {
    if (!kept.containsKey(as)) {
      kept.put(as, Json.object()); // before its fields, which can refer to it
      kept.put(as, stripped(published.getOrDefault(name, Json.object())));
    }
  }

  private ObjectNode stripped(JsonNode schema) {
    ObjectNode result = Json.object();
    List<JsonNode> references =
        schema.has("allOf") ? List.of(schema.path("allOf").path(0)) : List.of(schema);
    for (JsonNode reference : references) {
      String target = reference.path("$ref").asText("").replaceFirst(".*/", "");
      if (!target.isEmpty()) {
        String as = target.equals(METADATA) ? "ObjectMeta" : target;
        keep(target, as);
        result.put("$ref", as);
      }
    }
    for (Map.Entry<String, JsonNode> field : new TreeMap<>(fields(schema)).entrySet()) {
      JsonNode value = field.getValue();
      switch (field.getKey()) {
        case "properties" -> {
          ObjectNode properties = result.putObject("properties");
          fields(value).forEach((name, property) -> properties.set(name, stripped(property)));
        }
        case "items", "additionalProperties" ->
            result.set(field.getKey(), value.isObject() ? stripped(value) : value);
        default -> {
          if (KEPT.contains(field.getKey())) {
            result.set(field.getKey(), value);
          }
        }
      }
    }
    return result;
  }

  private static Map<String, JsonNode> fields(JsonNode object) {
    Map<String, JsonNode> fields = new TreeMap<>();
    object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    return fields;
  }
}
