// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.rules;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The objects of {@code samples.yaml}. */
public final class Samples {

  private static final ObjectMapper JSON = new ObjectMapper();

  private Samples() {}

  /** An object to create. */
  public record Sample(ObjectNode object) {

    /** Returns its {@code apiVersion/kind}. */
    public String type() {
      return object.path("apiVersion").asText() + "/" + object.path("kind").asText();
    }

    /** Returns the path of its collection. */
    public String path(String plural, boolean namespaced) {
      String apiVersion = object.path("apiVersion").asText();
      String group = apiVersion.contains("/") ? "/apis/" : "/api/";
      return group + apiVersion + (namespaced ? "/namespaces/default/" : "/") + plural;
    }

    String path() {
      return new ResourceTypes()
          .all().stream()
              .filter(type -> (type.apiVersion() + "/" + type.kind()).equals(type()))
              .map(type -> path(type.plural(), type.namespaced()))
              .findFirst()
              .orElseThrow();
    }

    String named(String name) {
      ObjectNode renamed = object.deepCopy();
      renamed.withObject("/metadata").put("name", name);
      return renamed.toString();
    }

    @Override
    public String toString() {
      return object.path("kind").asText() + " " + object.path("metadata").path("name").asText();
    }
  }

  public static List<Sample> all() {
    try (InputStream file =
        Objects.requireNonNull(Samples.class.getResourceAsStream("samples.yaml"))) {
      var documents =
          new Load(LoadSettings.builder().build()).loadAllFromInputStream(file).spliterator();
      return StreamSupport.stream(documents, false)
          .map(document -> new Sample(JSON.valueToTree(document)))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the sample with the given kind and name. */
  static Sample of(String sample) {
    return all().stream().filter(each -> each.toString().equals(sample)).findFirst().orElseThrow();
  }
}
