// SPDX-License-Identifier: Apache-2.0
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Adds to the generated CRD what no annotation can say of fabric8's {@code Condition}, and writes
 * it under the two names that sample-controller has, with the status subresource and without. Run
 * by the build (pom.xml) as {@code java FinishCrd.java <file> <directory>}; fails if the CRD has not
 * the fields that it is about.
 */
final class FinishCrd {

  private FinishCrd() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    Path directory = Files.createDirectories(Path.of(args[1]));
    CustomResourceDefinition crd =
        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    JSONSchemaProps root = crd.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();
    JSONSchemaProps conditions = field(field(root, "status"), "conditions");
    conditions.setXKubernetesListType("map");
    conditions.setXKubernetesListMapKeys(List.of("type"));
    conditions.getItems().getSchema().setRequired(List.of("status", "type"));

    Files.writeString(file, Serialization.asYaml(crd));
    Files.writeString(directory.resolve("crd-status-subresource.yaml"), Serialization.asYaml(crd));
    crd.getSpec().getVersions().get(0).setSubresources(null);
    Files.writeString(directory.resolve("crd.yaml"), Serialization.asYaml(crd));
  }

  private static JSONSchemaProps field(JSONSchemaProps schema, String name) {
    return Objects.requireNonNull(schema.getProperties().get(name), "the schema has no " + name);
  }
}
