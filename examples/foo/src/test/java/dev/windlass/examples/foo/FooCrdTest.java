// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The CRD that the build makes of the classes, field by field, under both of its names. */
final class FooCrdTest {

  private final CustomResourceDefinition crd = FooArtifacts.crd();
  private final CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);
  private final JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();

  private static JSONSchemaProps field(JSONSchemaProps root, String... path) {
    JSONSchemaProps found = root;
    for (String name : path) {
      found = Objects.requireNonNull(found.getProperties().get(name), name);
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(strings = {"crd.yaml", "crd-status-subresource.yaml"})
  void describesFoosWithTheSubresourceAndWithout(String file) {
    CustomResourceDefinition read = FooArtifacts.read(file, CustomResourceDefinition.class);
    assertThat(read.getApiVersion()).isEqualTo("apiextensions.k8s.io/v1");
    assertThat(read.getMetadata().getName()).isEqualTo("foos.samplecontroller.k8s.io");
    assertThat(read.getSpec().getGroup()).isEqualTo("samplecontroller.k8s.io");
    assertThat(read.getSpec().getScope()).isEqualTo("Namespaced");
    assertThat(read.getSpec().getNames().getKind()).isEqualTo("Foo");
    assertThat(read.getSpec().getNames().getPlural()).isEqualTo("foos");
    assertThat(read.getSpec().getNames().getSingular()).isEqualTo("foo");
    assertThat(read.getSpec().getNames().getShortNames()).isEmpty();
    assertThat(read.getSpec().getVersions()).hasSize(1);
    CustomResourceDefinitionVersion only = read.getSpec().getVersions().get(0);
    assertThat(only.getName()).isEqualTo("v1alpha1");
    assertThat(only.getServed()).isTrue();
    assertThat(only.getStorage()).isTrue();
    assertThat(only.getSubresources() != null).isEqualTo(file.contains("status"));
    assertThat(only.getSchema()).as("one schema").isEqualTo(version.getSchema());
  }

  /** What the build makes for whoever looks in the usual place is the one with the subresource. */
  @Test
  void liesWhereTheGeneratorPutsIt() {
    assertThat(
            FooArtifacts.readAbsolute(
                "/META-INF/fabric8/foos.samplecontroller.k8s.io-v1.yml",
                CustomResourceDefinition.class))
        .isEqualTo(crd);
  }

  @Test
  void saysThatNobodyHasApprovedIt() {
    assertThat(crd.getMetadata().getAnnotations().get("api-approved.kubernetes.io"))
        .isEqualTo("unapproved, experimental-only; an example of Windlass");
  }

  @Test
  void hasTheSchemaOfTheOriginal() {
    assertThat(schema.getType()).isEqualTo("object");
    assertThat(schema.getProperties()).containsOnlyKeys("spec", "status");
    assertThat(schema.getRequired()).isEmpty();
    JSONSchemaProps spec = field(schema, "spec");
    assertThat(spec.getType()).isEqualTo("object");
    assertThat(spec.getProperties()).containsOnlyKeys("deploymentName", "replicas");
    assertThat(spec.getRequired()).isEmpty();
    assertThat(field(spec, "deploymentName").getType()).isEqualTo("string");
    assertThat(field(spec, "replicas").getType()).isEqualTo("integer");
    assertThat(field(spec, "replicas").getMinimum()).isEqualTo(1);
    assertThat(field(spec, "replicas").getMaximum()).isEqualTo(10);
    JSONSchemaProps status = field(schema, "status");
    assertThat(status.getType()).isEqualTo("object");
    assertThat(status.getRequired()).isEmpty();
    assertThat(field(status, "availableReplicas").getType()).isEqualTo("integer");
    assertThat(version.getAdditionalPrinterColumns()).isEmpty();
  }

  /** Which the original does not have; a Foo that is well has none of them. */
  @Test
  void knowsConditionsBesides() {
    assertThat(field(schema, "status").getProperties())
        .containsOnlyKeys("availableReplicas", "conditions");
    JSONSchemaProps conditions = field(schema, "status", "conditions");
    assertThat(conditions.getXKubernetesListType()).isEqualTo("map");
    assertThat(conditions.getXKubernetesListMapKeys()).containsExactly("type");
    assertThat(conditions.getItems().getSchema().getRequired())
        .containsExactly("lastTransitionTime", "message", "reason", "status", "type");
  }
}
