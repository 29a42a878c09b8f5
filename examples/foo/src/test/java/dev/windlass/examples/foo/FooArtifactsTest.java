// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users apply with kubectl, and what becomes of it in Java. */
final class FooArtifactsTest {

  @Test
  @Proves("001-06")
  void theSampleIsThatOfTheOriginal() {
    Foo foo = FooArtifacts.read("example-foo.yaml", Foo.class);
    assertThat(foo.getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(foo.getKind()).isEqualTo("Foo");
    assertThat(foo.getMetadata().getName()).isEqualTo("example-foo");
    assertThat(foo.getSpec().getDeploymentName()).isEqualTo("example-foo");
    assertThat(foo.getSpec().getReplicas()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"crd.yaml", "crd-status-subresource.yaml"})
  @Proves("001-89")
  void bothCrdsDescribeFoos(String file) {
    CustomResourceDefinition crd = FooArtifacts.read(file, CustomResourceDefinition.class);
    assertThat(crd.getMetadata().getName()).isEqualTo("foos.samplecontroller.k8s.io");
    assertThat(crd.getSpec().getGroup()).isEqualTo("samplecontroller.k8s.io");
    assertThat(crd.getSpec().getNames().getKind()).isEqualTo("Foo");
    assertThat(crd.getSpec().getNames().getPlural()).isEqualTo("foos");
    assertThat(crd.getSpec().getScope()).isEqualTo("Namespaced");
    assertThat(crd.getSpec().getVersions()).hasSize(1);
    CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);
    assertThat(version.getName()).isEqualTo("v1alpha1");
    assertThat(version.getServed()).isTrue();
    assertThat(version.getStorage()).isTrue();
    assertThat(version.getSubresources() != null).isEqualTo(file.contains("status"));
  }

  /** A size that is not set must not become one, but nothing available is a fact. */
  @Test
  @Proves("001-08")
  void aMissingSizeIsNotWrittenAndAnAvailabilityOfZeroIs() {
    Foo foo = new Foo();
    foo.getSpec().setDeploymentName("d");
    String json = Serialization.asJson(foo);
    assertThat(json).contains("\"deploymentName\":\"d\"", "\"availableReplicas\":0");
    assertThat(json).doesNotContain("\"replicas\":0", "\"replicas\":1");
    assertThat(Serialization.unmarshal(json, Foo.class).getSpec().getReplicas()).isNull();
  }
}
