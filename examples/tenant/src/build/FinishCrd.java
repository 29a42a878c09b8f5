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
 * Adds rules to the generated CRD that no annotation can express: the types of lists, and the
 * required fields of classes that belong to fabric8. The build (pom.xml) runs this program as
 * {@code java FinishCrd.java <file>}, after {@code FinishConditions}. The program fails if the CRD
 * lacks one of the fields that it changes.
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
    condition.setRequired(List.of("lastTransitionTime", "status", "type"));
    field(condition, "type").setEnum(List.of(new TextNode("Ready")));
    field(condition, "lastTransitionTime").setFormat("date-time");

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
