// SPDX-License-Identifier: Apache-2.0
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Declares the conditions of a generated CRD as a map with the type as its key, and requires a type
 * and a status for each condition, in every version that has conditions. A program does this because
 * no annotation of the CRD generator supports it for fabric8's {@code Condition}. The build runs it
 * as {@code java FinishConditions.java <file>}. The program fails if no version has conditions.
 */
final class FinishConditions {

  private FinishConditions() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    CustomResourceDefinition crd =
        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    List<JSONSchemaProps> all =
        crd.getSpec().getVersions().stream()
            .map(version -> version.getSchema().getOpenAPIV3Schema())
            .flatMap(root -> field(root, "status").stream())
            .flatMap(status -> field(status, "conditions").stream())
            .toList();
    if (all.isEmpty()) {
      throw new IllegalArgumentException("no version in " + file + " has conditions");
    }
    for (JSONSchemaProps conditions : all) {
      conditions.setXKubernetesListType("map");
      conditions.setXKubernetesListMapKeys(List.of("type"));
      conditions.getItems().getSchema().setRequired(List.of("status", "type"));
    }
    Files.writeString(file, Serialization.asYaml(crd));
  }

  private static Optional<JSONSchemaProps> field(JSONSchemaProps schema, String name) {
    return Optional.ofNullable(schema.getProperties()).map(fields -> fields.get(name));
  }
}
