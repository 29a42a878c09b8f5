// SPDX-License-Identifier: Apache-2.0
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Declares the conditions of a generated CRD as a map with the type as its key, and requires a type
 * and a status for each condition. A program does this because no annotation of the CRD generator
 * supports it for fabric8's {@code Condition}. The build runs it as {@code java
 * FinishConditions.java <file>}. The program fails if the status of the CRD has no conditions.
 */
final class FinishConditions {

  private FinishConditions() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    CustomResourceDefinition crd =
        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    JSONSchemaProps root = crd.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
    JSONSchemaProps conditions = field(field(root, "status"), "conditions");
    conditions.setXKubernetesListType("map");
    conditions.setXKubernetesListMapKeys(List.of("type"));
    conditions.getItems().getSchema().setRequired(List.of("status", "type"));
    Files.writeString(file, Serialization.asYaml(crd));
  }

  private static JSONSchemaProps field(JSONSchemaProps schema, String name) {
    return Objects.requireNonNull(schema.getProperties().get(name), "the schema has no " + name);
  }
}
