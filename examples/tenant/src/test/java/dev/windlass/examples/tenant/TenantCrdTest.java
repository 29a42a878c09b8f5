// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The CRD that the build makes of the classes. */
final class TenantCrdTest {

  private final CustomResourceDefinition crd = TenantArtifacts.crd();
  private final CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);

  private JSONSchemaProps field(String... path) {
    return field(version.getSchema().getOpenAPIV3Schema(), path);
  }

  private static JSONSchemaProps field(JSONSchemaProps root, String... path) {
    JSONSchemaProps found = root;
    for (String name : path) {
      found = Objects.requireNonNull(found.getProperties().get(name), name);
    }
    return found;
  }

  @Test
  void isClusterScopedAndHasAStatus() {
    assertThat(crd.getMetadata().getName()).isEqualTo("tenants.multitenancy.example.com");
    assertThat(crd.getSpec().getGroup()).isEqualTo("multitenancy.example.com");
    assertThat(crd.getSpec().getScope()).isEqualTo("Cluster");
    assertThat(crd.getSpec().getNames().getKind()).isEqualTo("Tenant");
    assertThat(crd.getSpec().getNames().getPlural()).isEqualTo("tenants");
    assertThat(crd.getSpec().getNames().getSingular()).isEqualTo("tenant");
    assertThat(crd.getSpec().getVersions()).hasSize(1);
    assertThat(version.getName()).isEqualTo("v1");
    assertThat(version.getServed()).isTrue();
    assertThat(version.getStorage()).isTrue();
    assertThat(version.getSubresources().getStatus()).isNotNull();
  }

  @Test
  void demandsNamespacesThatDifferAndAnAdministrator() {
    assertThat(field().getRequired()).containsExactly("spec");
    assertThat(field("spec").getRequired()).containsExactlyInAnyOrder("admin", "namespaces");
    assertThat(field("spec", "namespaces").getMinItems()).isEqualTo(1);
    assertThat(field("spec", "namespaces").getXKubernetesListType()).isEqualTo("set");
    assertThat(field("spec", "admin").getRequired()).containsExactlyInAnyOrder("kind", "name");
    assertThat(field("spec", "admin").getProperties())
        .containsOnlyKeys("apiGroup", "kind", "name", "namespace");
  }

  @Test
  void knowsTheConditionReady() {
    JSONSchemaProps conditions = field("status", "conditions");
    assertThat(conditions.getXKubernetesListType()).isEqualTo("map");
    assertThat(conditions.getXKubernetesListMapKeys()).containsExactly("type");
    JSONSchemaProps condition = conditions.getItems().getSchema();
    assertThat(condition.getRequired())
        .containsExactlyInAnyOrder("type", "status", "lastTransitionTime");
    assertThat(field(condition, "type").getEnum())
        .extracting(Object::toString)
        .containsExactly("\"Ready\"");
    assertThat(field(condition, "lastTransitionTime").getFormat()).isEqualTo("date-time");
    assertThat(condition.getProperties()).containsKeys("reason", "message");
  }

  @Test
  void printsThreeColumns() {
    assertThat(version.getAdditionalPrinterColumns())
        .extracting(column -> column.getName() + " " + column.getJsonPath())
        .containsExactly(
            "ADMIN .spec.admin.name",
            "PREFIX .spec.namespacePrefix",
            "READY .status.conditions[?(@.type=='Ready')].status");
  }

  @Test
  void saysThatThePrefixStaysAsItIs() {
    assertThat(field("spec").getXKubernetesValidations())
        .singleElement()
        .satisfies(
            rule -> {
              assertThat(rule.getMessage())
                  .isEqualTo("spec.namespacePrefix field should not be changed");
              assertThat(rule.getRule())
                  .contains("has(self.namespacePrefix) == has(oldSelf.namespacePrefix)")
                  .contains("self.namespacePrefix == oldSelf.namespacePrefix");
            });
  }
}
