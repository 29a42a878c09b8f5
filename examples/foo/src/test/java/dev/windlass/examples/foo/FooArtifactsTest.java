// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

/** What users apply with kubectl, and what becomes of it in Java. */
final class FooArtifactsTest {

  @Test
  void theSampleIsThatOfTheOriginal() {
    Foo foo = FooArtifacts.read("example-foo.yaml", Foo.class);
    assertThat(foo.getApiVersion()).isEqualTo("samplecontroller.k8s.io/v1alpha1");
    assertThat(foo.getKind()).isEqualTo("Foo");
    assertThat(foo.getMetadata().getName()).isEqualTo("example-foo");
    assertThat(foo.getSpec().getDeploymentName()).isEqualTo("example-foo");
    assertThat(foo.getSpec().getReplicas()).isEqualTo(1);
  }

  /** A size that is not set must not become one, but nothing available is a fact. */
  @Test
  void aMissingSizeIsNotWrittenAndAnAvailabilityOfZeroIs() {
    Foo foo = new Foo();
    foo.getSpec().setDeploymentName("d");
    String json = Serialization.asJson(foo);
    assertThat(json).contains("\"deploymentName\":\"d\"", "\"availableReplicas\":0");
    assertThat(json).doesNotContain("\"replicas\":0", "\"replicas\":1");
    assertThat(Serialization.unmarshal(json, Foo.class).getSpec().getReplicas()).isNull();
  }
}
