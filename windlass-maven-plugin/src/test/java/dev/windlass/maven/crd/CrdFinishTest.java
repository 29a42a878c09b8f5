// SPDX-License-Identifier: Apache-2.0
package dev.windlass.maven.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the CRD generator cannot express. */
final class CrdFinishTest {

  private static final String GENERATED =
      """
      # Generated
      apiVersion: "apiextensions.k8s.io/v1"
      kind: "CustomResourceDefinition"
      metadata:
        name: "sites.example.com"
      spec:
        versions:
        - additionalPrinterColumns:
          - jsonPath: ".metadata.creationTimestamp"
            name: "Age"
          - jsonPath: ".spec.host"
            name: "Host"
          name: "v1"
          schema:
            openAPIV3Schema:
              properties:
                spec:
                  properties:
                    port:
                      minimum: 0.0
                      type: "integer"
                status:
                  properties:
                    conditions:
                      items:
                        properties:
                          lastTransitionTime:
                            type: "string"
                          status:
                            type: "string"
                          type:
                            enum:
                            - "Ready"
                            type: "string"
                        type: "object"
                      type: "array"
      """;

  @TempDir private Path folder;

  private List<String> finish() throws IOException {
    return CrdFiles.edit(folder, new CrdFinish(List.of("reason", "status", "type"))::apply);
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("sites.example.com-v1.yml"), text);
  }

  @Test
  void declaresConditionsAsKubernetesDoes() throws IOException {
    write(GENERATED);
    assertThat(finish()).containsExactly("sites.example.com");
    JsonNode conditions =
        CrdFiles.read(folder)
            .get("sites.example.com")
            .at("/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/conditions");
    assertThat(conditions.path("x-kubernetes-list-type").asText()).isEqualTo("map");
    assertThat(conditions.path("x-kubernetes-list-map-keys")).hasToString("[\"type\"]");
    assertThat(conditions.at("/items/required")).hasToString("[\"status\",\"type\"]");
    JsonNode fields = conditions.at("/items/properties");
    assertThat(fields.at("/lastTransitionTime/format").asText()).isEqualTo("date-time");
    assertThat(fields.at("/status/enum")).hasToString("[\"True\",\"False\",\"Unknown\"]");
    assertThat(fields.at("/type/enum")).hasToString("[\"Ready\"]");
    assertThat(fields.has("reason")).isFalse();
  }

  @Test
  void movesTheAgeToTheEnd() throws IOException {
    write(GENERATED);
    finish();
    JsonNode columns =
        CrdFiles.read(folder)
            .get("sites.example.com")
            .at("/spec/versions/0/additionalPrinterColumns");
    assertThat(columns.findValuesAsText("name")).containsExactly("Host", "Age");
  }

  @Test
  void keepsTheRestOfTheFile() throws IOException {
    Path file = write(GENERATED);
    finish();
    assertThat(Files.readAllLines(file)).containsAll(GENERATED.lines().toList());
    assertThat(file).content().startsWith("# Generated\napiVersion: \"apiextensions.k8s.io/v1\"\n");
  }

  @Test
  void changesNothingASecondTime() throws IOException {
    Path file = write(GENERATED);
    finish();
    String once = Files.readString(file);
    assertThat(finish()).isEmpty();
    assertThat(file).hasContent(once);
  }

  @Test
  void keepsTheFormatOfAJsonFile() throws IOException {
    write(GENERATED);
    JsonNode definition = CrdFiles.read(folder).get("sites.example.com");
    Path json = folder.resolve("sites.json");
    Files.writeString(json, definition.toString());
    finish();
    assertThat(new ObjectMapper().readTree(json.toFile()).path("kind").asText())
        .isEqualTo("CustomResourceDefinition");
  }
}
