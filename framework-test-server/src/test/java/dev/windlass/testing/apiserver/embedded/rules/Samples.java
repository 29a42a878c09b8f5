// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.types.ResourceType;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The objects of {@code samples.yaml}. */
public final class Samples {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Samples() {}

  /** An object to create. */
  public record Sample(ResourceType type, ObjectNode object) {

    public String path() {
      String group = type.group().isEmpty() ? "/api/" : "/apis/";
      String namespace = type.namespaced() ? "/namespaces/default/" : "/";
      return group + type.apiVersion() + namespace + type.plural();
    }

    String named(String name) {
      ObjectNode renamed = object.deepCopy();
      renamed.withObject("/metadata").put("name", name);
      return renamed.toString();
    }

    @Override
    public String toString() {
      return type.kind() + " " + object.path("metadata").path("name").asText();
    }
  }

  public static List<Sample> all() {
    try (InputStream file =
        Objects.requireNonNull(Samples.class.getResourceAsStream("samples.yaml"))) {
      var documents =
          new Load(LoadSettings.builder().build()).loadAllFromInputStream(file).spliterator();
      return StreamSupport.stream(documents, false)
          .map(document -> sample(JSON.valueToTree(document)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the sample with the given kind and name. */
  static Sample of(String sample) {
    return all().stream().filter(each -> each.toString().equals(sample)).findFirst().orElseThrow();
  }

  private static Sample sample(ObjectNode object) {
    String apiVersion = object.path("apiVersion").asText();
    Stream<ResourceType> types = new ResourceTypes().all().stream();
    return new Sample(
        types
            .filter(type -> type.apiVersion().equals(apiVersion))
            .filter(type -> type.kind().equals(object.path("kind").asText()))
            .findFirst()
            .orElseThrow(),
        object);
  }
}
