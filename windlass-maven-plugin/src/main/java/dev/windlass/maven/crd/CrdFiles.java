// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Reads the CRDs in a folder or in a jar. */
public final class CrdFiles {

  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String KIND = "CustomResourceDefinition";
  private static final String VERSION = "apiextensions.k8s.io/v1";

  private CrdFiles() {}

  /**
   * Returns the CRDs by their names, such as {@code sites.example.com}.
   *
   * @param place a folder with YAML or JSON files, which can have subfolders, a single such file,
   *     or a jar. Other objects in the files are ignored
   * @throws IOException if a file cannot be read; the message names the file
   */
  public static Map<String, JsonNode> read(Path place) throws IOException {
    if (!Files.exists(place)) {
      throw new IOException(place + " does not exist");
    }
    if (!place.toString().endsWith(".jar")) {
      return readBelow(place);
    }
    try (FileSystem jar = FileSystems.newFileSystem(place)) {
      return readBelow(jar.getPath("/"));
    }
  }

  private static Map<String, JsonNode> readBelow(Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(CrdFiles::isYaml).sorted().toList();
    }
    Map<String, JsonNode> found = new TreeMap<>();
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file);
          MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(in)) {
        while (documents.hasNextValue()) {
          JsonNode document = documents.nextValue();
          if (isDefinition(document)) {
            found.put(document.path("metadata").path("name").asText(), document);
          }
        }
      } catch (IOException e) {
        throw new IOException("failed to read " + file + ": " + e.getMessage(), e);
      }
    }
    return found;
  }

  private static boolean isYaml(Path file) {
    String name = file.toString();
    return name.endsWith(".yml") || name.endsWith(".yaml") || name.endsWith(".json");
  }

  private static boolean isDefinition(JsonNode document) {
    return document.path("kind").asText().equals(KIND)
        && document.path("apiVersion").asText().equals(VERSION);
  }
}
