// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What breaks stored objects or clients, and what does not. */
final class CrdDiffTest {

  private static final String SITE =
      """
      scope: Namespaced
      names: {kind: Site, plural: sites}
      versions:
      - name: v1
        served: true
        storage: true
        subresources: {status: {}}
        schema:
          openAPIV3Schema:
            type: object
            properties:
              spec: {type: object, properties: {host: {type: string}, port: {type: integer}}}
      """;

  private static JsonNode crd(String spec) throws IOException {
    return new YAMLMapper()
        .readTree(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                + "metadata: {name: sites.example.com}\nspec:\n"
                + spec.indent(2));
  }

  private final List<String> warnings = new ArrayList<>();

  private List<String> changes(String before, String after) throws IOException {
    return CrdDiff.of(
            Map.of("sites.example.com", crd(before)),
            Map.of("sites.example.com", crd(after)),
            warnings::add)
        .stream()
        .map(BreakingChange::toString)
        .toList();
  }

  /** Compares two schemas of the field {@code spec.x}; the cells are YAML. */
  private List<String> ofField(String before, String after) throws IOException {
    String spec = "{type: object, properties: {x: %s}}";
    return changes(
        SITE.replaceAll("spec: .*", "spec: " + spec.formatted(before)),
        SITE.replaceAll("spec: .*", "spec: " + spec.formatted(after)));
  }

  @Test
  void findsNothingInTheSameDefinition() throws IOException {
    assertThat(changes(SITE, SITE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: integer}             | {type: string}              | has the type string instead of integer",
        "{type: integer}             | {type: boolean}             | has the type boolean instead of integer",
        "{type: string, nullable: true} | {type: string}           | no longer accepts null",
        "{type: integer}             | {type: integer, minimum: 1} | has the minimum 1, and had none",
        "{type: integer, minimum: 1} | {type: integer, minimum: 2} | has the minimum 2 instead of 1",
        "{type: integer, maximum: 9} | {type: integer, maximum: 8} | has the maximum 8 instead of 9",
        "{type: integer, maximum: 90.0} | {type: number, maximum: 2.50} | has the maximum 2.5 instead of 90",
        "{type: string}              | {type: string, maxLength: 3} | has the maxLength 3, and had none",
        "{type: string}              | {type: string, enum: [a]}   | accepts only [\"a\"] now",
        "{type: string, enum: [a, b]} | {type: string, enum: [b, c]} | no longer accepts [\"a\"]",
        "{type: string}              | {type: string, pattern: a}  | has the new restriction pattern: \"a\"",
        "{type: string, pattern: a}  | {type: string, pattern: b}  | has another pattern: \"b\"",
        "{type: integer, minimum: 0} | {type: integer, minimum: 0, exclusiveMinimum: true} | has the new restriction exclusiveMinimum",
        "{type: string}              | {type: string, format: date} | has the new restriction format: \"date\"",
        "{type: object}              | {type: object, x-kubernetes-validations: [{rule: has(self.a)}]} | has the new rule has(self.a)",
        "{type: object, x-kubernetes-preserve-unknown-fields: true} | {type: object} | no longer keeps unknown fields",
        "{type: object, additionalProperties: {type: string}} | {type: object} | no longer keeps other keys",
        "{type: array, items: {type: string}} | {type: array, items: {type: string}, x-kubernetes-list-type: set} | requires unique elements now",
        "{type: object}              | {type: object, x-kubernetes-embedded-resource: true} | has the new restriction x-kubernetes-embedded-resource",
      })
  void reportsWhatRestrictsAField(String before, String after, String what) throws IOException {
    assertThat(ofField(before, after)).containsExactly("sites.example.com v1: spec.x " + what);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: integer}             | {type: number}",
        "{type: integer}             | {x-kubernetes-int-or-string: true}",
        "{type: string}              | {x-kubernetes-preserve-unknown-fields: true}",
        "{type: integer, minimum: 2} | {type: integer, minimum: 1}",
        "{type: integer, maximum: 8} | {type: integer, maximum: 9}",
        "{type: integer, minimum: 2} | {type: integer}",
        "{type: string, enum: [a]}   | {type: string, enum: [a, b]}",
        "{type: string, enum: [a]}   | {type: string}",
        "{type: string, pattern: a}  | {type: string}",
        "{type: string}              | {type: string, nullable: true}",
        "{type: string}              | {type: string, default: a, description: b}",
        "{type: object, properties: {y: {type: string}}} | {type: object, x-kubernetes-preserve-unknown-fields: true}",
        "{type: object, properties: {y: {type: string}}} | {type: object, additionalProperties: {type: string}}",
        "{type: object}              | {type: object, properties: {y: {type: string}}}",
        "{type: integer}             | {type: integer, format: int64}",
        "{type: integer, format: int32} | {type: integer, format: int64}",
        "{type: string, format: date-time} | {type: string}",
        "{type: object}              | {x-kubernetes-preserve-unknown-fields: true}",
        "{type: array, items: {type: string}, x-kubernetes-list-type: set} | {type: array, items: {type: string}}",
        "{type: object, x-kubernetes-validations: [{rule: a}]} | {type: object}",
      })
  void acceptsWhatOnlyAllowsMore(String before, String after) throws IOException {
    assertThat(ofField(before, after)).isEmpty();
  }

  /** What version 8 of fabric8's CRD generator writes for an Optional, a byte[], a long[]. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{x-kubernetes-preserve-unknown-fields: true} | {type: object, properties: {y: {type: string}}} | has the type object instead of any, no longer keeps unknown fields",
        "{x-kubernetes-preserve-unknown-fields: true} | {type: string, format: date-time} | has the type string instead of any, no longer keeps unknown fields",
        "{type: array, items: {type: integer}} | {type: string, format: byte} | has the type string instead of array",
        "{type: integer, format: int64} | {type: integer, format: int32} | has another format: \"int32\"",
      })
  void reportsWhatANewGeneratorRestricts(String before, String after, String what)
      throws IOException {
    assertThat(ofField(before, after).stream().map(it -> it.replaceAll(".*spec.x ", "")))
        .containsExactly(what.split(", ", -1));
    assertThat(warnings).isEmpty();
  }

  @Test
  void warnsOfAnIntegerThatMayHaveBeenLonger() throws IOException {
    assertThat(ofField("{type: integer}", "{type: integer, format: int32}")).isEmpty();
    assertThat(warnings)
        .containsExactly(
            "sites.example.com v1: spec.x has the new format int32, so API servers from Kubernetes"
                + " 1.36 on reject larger values. This breaks nothing if the field is still an int");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{type: object, properties: {y: {type: string}}} | {type: object} | spec.x.y was removed",
        "{type: object, properties: {y: {type: string}}} | {type: object, properties: {y: {type: integer}}} | spec.x.y has the type integer instead of string",
        "{type: object, properties: {y: {type: string}}} | {type: object, additionalProperties: {type: integer}} | spec.x.y has the type integer instead of string",
        "{type: array, items: {type: object, properties: {y: {type: string}}}} | {type: array, items: {type: object}} | spec.x[].y was removed",
        "{type: object, additionalProperties: {type: string}} | {type: object, additionalProperties: {type: integer}} | spec.x[*] has the type integer instead of string",
        "{type: object, properties: {y: {type: string}}} | {type: object, required: [y], properties: {y: {type: string}}} | spec.x.y became required",
      })
  void findsFieldsAtAnyDepth(String before, String after, String what) throws IOException {
    assertThat(ofField(before, after)).containsExactly("sites.example.com v1: " + what);
  }

  @Test
  void aNewRequiredFieldWithADefaultBreaksNothing() throws IOException {
    assertThat(
            ofField(
                "{type: object}",
                "{type: object, required: [y], properties: {y: {type: string, default: a}}}"))
        .isEmpty();
  }

  @Test
  void reportsTheWholeDefinition() throws IOException {
    assertThat(changes(SITE, SITE.replace("Namespaced", "Cluster")))
        .containsExactly("sites.example.com has the scope Cluster instead of Namespaced");
    assertThat(changes(SITE, SITE.replace("kind: Site", "kind: Page")))
        .containsExactly("sites.example.com has the kind Page instead of Site");
    assertThat(
            changes(
                SITE, SITE.replace("subresources: {status: {}}", "additionalPrinterColumns: []")))
        .containsExactly("sites.example.com v1 no longer has the subresource status");
    assertThat(CrdDiff.of(Map.of("sites.example.com", crd(SITE)), Map.of(), change -> {}))
        .hasToString("[sites.example.com was removed]");
    assertThat(CrdDiff.of(Map.of(), Map.of("sites.example.com", crd(SITE)), change -> {}))
        .isEmpty();
  }

  /** The second version of the type, instead of the first one or beside it. */
  private static String second(boolean served, boolean storage, String properties) {
    return """
    - name: v2
      served: %s
      storage: %s
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, properties: %s}
    """
        .formatted(served, storage, properties);
  }

  @Test
  void aVersionThatIsStoredOrServedStays() throws IOException {
    String fields = "{host: {type: string}, port: {type: integer}}";
    String both = SITE + second(true, false, fields);
    String retired = SITE + second(false, false, fields);
    assertThat(changes(SITE, both)).isEmpty();
    assertThat(changes(both, SITE)).containsExactly("sites.example.com v2 was removed");
    assertThat(changes(both, retired)).containsExactly("sites.example.com v2 is no longer served");
    assertThat(changes(retired, SITE)).isEmpty();
  }

  @Test
  void aNewStorageVersionWithoutAConversionMustHoldAllFields() throws IOException {
    String moved = SITE.replace("storage: true", "storage: false");
    String less = moved + second(true, true, "{host: {type: string}}");
    String lost =
        "sites.example.com stored in v2 instead of v1, without a conversion webhook: spec.port was"
            + " removed";
    assertThat(changes(SITE, less + "conversion: {strategy: None}\n")).containsExactly(lost);
    assertThat(warnings).isEmpty();
    assertThat(changes(SITE, less)).as("as generated; the program can convert").isEmpty();
    assertThat(warnings)
        .containsExactly(lost + ". The program must convert: its file has no conversion");
    assertThat(changes(SITE, less + "conversion: {strategy: Webhook}\n")).isEmpty();
  }

  @Test
  void readsFoldersAndJars(@TempDir Path folder) throws Exception {
    Path below = Files.createDirectories(folder.resolve("META-INF/fabric8"));
    String text = new YAMLMapper().writeValueAsString(crd(SITE));
    Files.writeString(below.resolve("sites.yml"), "kind: ConfigMap\n" + text);
    Files.writeString(below.resolve("other.txt"), "no: [yaml");
    assertThat(CrdFiles.read(folder)).containsOnlyKeys("sites.example.com");
    Path jar = folder.resolve("operator.jar");
    try (FileSystem content =
        FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of("create", "true"))) {
      Files.createDirectories(content.getPath("/META-INF"));
      Files.copy(below.resolve("sites.yml"), content.getPath("/META-INF/sites.yml"));
    }
    assertThat(CrdFiles.read(jar)).containsOnlyKeys("sites.example.com");
  }

  @Test
  void readsAndEditsTheCrdsInLists(@TempDir Path folder) throws Exception {
    JsonNode other = crd(SITE);
    other.<ObjectNode>require().withObject("/metadata").put("name", "other.example.com");
    Map<String, Object> list = Map.of("kind", "List", "items", List.of(crd(SITE), other));
    Files.writeString(folder.resolve("list.yaml"), new YAMLMapper().writeValueAsString(list));
    assertThat(CrdFiles.read(folder)).containsOnlyKeys("sites.example.com", "other.example.com");
    CrdFiles.edit(folder, crd -> !crd.put("edited", true).isEmpty());
    assertThat(CrdFiles.read(folder).values()).allMatch(crd -> crd.path("edited").asBoolean());
  }

  @Test
  void namesTheFileThatItCannotRead(@TempDir Path folder) throws Exception {
    assertThatThrownBy(() -> CrdFiles.read(folder.resolve("missing")))
        .hasMessage(folder.resolve("missing") + " does not exist");
    Files.writeString(folder.resolve("broken.yaml"), "a: [");
    assertThatThrownBy(() -> CrdFiles.read(folder))
        .hasMessageStartingWith("failed to read " + folder.resolve("broken.yaml") + ": ");
  }
}
