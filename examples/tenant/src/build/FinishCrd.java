// SPDX-License-Identifier: Apache-2.0
import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Adds rules to the generated CRD that no annotation can express: that the Namespaces are a set, the
 * required fields of a class that belongs to fabric8, and the only type of condition. The build
 * (pom.xml) runs this program as {@code java FinishCrd.java <file>}, after the goal {@code
 * windlass:finish-crds}. The program fails if the CRD lacks one of the fields that it changes.
 */
final class FinishCrd {

  private FinishCrd() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    CustomResourceDefinition crd =
        Serialization.unmarshal(Files.readString(file), CustomResourceDefinition.class);
    JSONSchemaProps root = crd.getSpec().getVersions().get(0).getSchema().getOpenAPIV3Schema();

    field(root, "spec", "namespaces").setXKubernetesListType("set");
    field(root, "spec", "admin").setRequired(List.of("kind", "name"));

    JSONSchemaProps condition = field(root, "status", "conditions").getItems().getSchema();
    field(condition, "type").setEnum(List.of(new TextNode("Ready")));

    Files.writeString(file, Serialization.asYaml(crd));
  }

  private static JSONSchemaProps field(JSONSchemaProps schema, String... path) {
    JSONSchemaProps found = schema;
    for (String name : path) {
      found = Objects.requireNonNull(found.getProperties().get(name), "the schema has no " + name);
    }
    return found;
  }
}
