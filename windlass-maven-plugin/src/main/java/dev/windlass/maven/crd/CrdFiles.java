// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads the CRDs in a folder or a jar, and edits the CRDs in a folder. */
public final class CrdFiles {

  /** A mapper that writes YAML in the format of the CRD generator. */
  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER, YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private static final String KIND = "CustomResourceDefinition";
  private static final String VERSION = "apiextensions.k8s.io/v1";

  private CrdFiles() {}

  /**
   * Returns the CRDs, keyed by name, such as {@code sites.example.com}. Ignores other objects in
   * the files.
   *
   * @param place a folder or jar that contains YAML or JSON files, directly or in subfolders, or a
   *     single YAML or JSON file
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

  /**
   * Edits the CRDs in the YAML and JSON files of a folder. Rewrites a file only if it contains a
   * changed CRD, and keeps its format. A comment at the beginning of a file is kept, such as the
   * one that the CRD generator writes; other comments are lost.
   *
   * @param edit a function that edits a CRD, and returns whether it has changed the CRD
   * @return the names of the changed CRDs
   * @throws IOException if a file cannot be read or written
   */
  public static List<String> edit(Path folder, Predicate<ObjectNode> edit) throws IOException {
    List<String> changed = new ArrayList<>();
    for (Path file : filesBelow(folder)) {
      List<JsonNode> documents = documents(file);
      List<String> names =
          documents.stream()
              .flatMap(CrdFiles::definitions)
              .filter(definition -> edit.test((ObjectNode) definition))
              .map(CrdFiles::name)
              .toList();
      if (!names.isEmpty()) {
        Files.writeString(file, text(file, documents));
        changed.addAll(names);
      }
    }
    return changed;
  }

  private static String comment(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .takeWhile(line -> line.startsWith("#"))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static String text(Path file, List<JsonNode> documents) throws IOException {
    if (file.toString().endsWith(".json")) {
      return documents.get(0).toPrettyString() + "\n";
    }
    List<String> texts = new ArrayList<>();
    for (JsonNode document : documents) {
      texts.add(YAML.writeValueAsString(document));
    }
    return comment(file) + String.join("---\n", texts);
  }

  private static Map<String, JsonNode> readBelow(Path root) throws IOException {
    Map<String, JsonNode> found = new TreeMap<>();
    for (Path file : filesBelow(root)) {
      for (JsonNode document : documents(file)) {
        definitions(document).forEach(definition -> found.put(name(definition), definition));
      }
    }
    return found;
  }

  private static List<Path> filesBelow(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(CrdFiles::isReadable).sorted().toList();
    }
  }

  private static List<JsonNode> documents(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file);
        MappingIterator<JsonNode> documents = YAML.readerFor(JsonNode.class).readValues(in)) {
      return documents.readAll();
    } catch (IOException e) {
      throw new IOException("failed to read " + file + ": " + e.getMessage(), e);
    }
  }

  private static String name(JsonNode definition) {
    return definition.at("/metadata/name").asText();
  }

  private static boolean isReadable(Path file) {
    String name = file.toString();
    return name.endsWith(".yml") || name.endsWith(".yaml") || name.endsWith(".json");
  }

  /** Returns the CRD in a document, or the CRDs among the items of a list. */
  private static Stream<JsonNode> definitions(JsonNode document) {
    return Stream.concat(
            Stream.of(document), StreamSupport.stream(document.path("items").spliterator(), false))
        .filter(CrdFiles::isDefinition);
  }

  private static boolean isDefinition(JsonNode document) {
    return document.path("kind").asText().equals(KIND)
        && document.path("apiVersion").asText().equals(VERSION);
  }
}
