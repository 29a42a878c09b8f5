// SPDX-License-Identifier: Apache-2.0
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Makes the conditions of a generated CRD a map by their type, as the conventions of Kubernetes want
 * it, of which each has a type and a status: no annotation can say that of fabric8's {@code
 * Condition}. Run by the build of each example that has conditions (../../pom.xml) as {@code java
 * FinishConditions.java <file>}; fails if the status of the CRD has none.
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
