// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The CRD that the build makes of the classes, field by field, and what is sent of them. */
final class HelloCrdTest {

  @Test
  void isTheCrdOfTheDocumentInV1() {
    CustomResourceDefinition crd = HelloArtifacts.crd();
    assertThat(crd.getApiVersion()).isEqualTo("apiextensions.k8s.io/v1");
    assertThat(crd.getMetadata().getName()).isEqualTo("hellos.myapp.whichxjy.com");
    assertThat(crd.getSpec().getGroup()).isEqualTo("myapp.whichxjy.com");
    assertThat(crd.getSpec().getScope()).isEqualTo("Namespaced");
    assertThat(crd.getSpec().getNames().getKind()).isEqualTo("Hello");
    assertThat(crd.getSpec().getNames().getPlural()).isEqualTo("hellos");
    assertThat(crd.getSpec().getNames().getSingular()).isEqualTo("hello");
    assertThat(crd.getSpec().getNames().getShortNames()).isEmpty();
    assertThat(crd.getSpec().getVersions()).hasSize(1);
    CustomResourceDefinitionVersion version = crd.getSpec().getVersions().get(0);
    assertThat(version.getName()).isEqualTo("v1");
    assertThat(version.getServed()).isTrue();
    assertThat(version.getStorage()).isTrue();
    assertThat(version.getSubresources().getStatus()).isNotNull();
    assertThat(version.getAdditionalPrinterColumns()).isEmpty();
    JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
    assertThat(schema.getProperties()).containsOnlyKeys("spec", "status");
    JSONSchemaProps spec = property(schema, "spec");
    assertThat(spec.getProperties()).containsOnlyKeys("helloTimes");
    assertThat(spec.getRequired()).isEmpty();
    assertThat(property(spec, "helloTimes").getType()).isEqualTo("integer");
    assertThat(property(spec, "helloTimes").getMinimum()).isZero();
    JSONSchemaProps status = property(schema, "status");
    assertThat(status.getProperties())
        .as("conditions are ours: a Hello that is well has none")
        .containsOnlyKeys("phase", "conditions");
    assertThat(property(status, "phase").getType()).isEqualTo("string");
    JSONSchemaProps conditions = property(status, "conditions");
    assertThat(conditions.getXKubernetesListType()).isEqualTo("map");
    assertThat(conditions.getXKubernetesListMapKeys()).containsExactly("type");
    assertThat(conditions.getItems().getSchema().getRequired())
        .containsExactly("lastTransitionTime", "message", "reason", "status", "type");
  }

  private static JSONSchemaProps property(JSONSchemaProps schema, String name) {
    return Objects.requireNonNull(schema.getProperties().get(name), name);
  }

  /** What is empty is not there. */
  @Test
  void leavesOutWhatIsEmpty() {
    assertThat(Serialization.asJson(new HelloStatus())).isEqualTo("{}");
    assertThat(Serialization.asJson(new HelloSpec())).isEqualTo("{}");
    HelloStatus status = new HelloStatus();
    status.setPhase("Running");
    assertThat(Serialization.asJson(status)).isEqualTo("{\"phase\":\"Running\"}");
  }

  @Test
  void readsTheSample() {
    Hello sample = HelloArtifacts.sample("default");
    assertThat(sample.getApiVersion()).isEqualTo("myapp.whichxjy.com/v1");
    assertThat(sample.getKind()).isEqualTo("Hello");
    assertThat(sample.getMetadata().getName()).isEqualTo("hello-sample");
    assertThat(sample.getSpec().getHelloTimes()).isEqualTo(3);
  }

  @Test
  void knowsFourPhasesAndTakesNoneForTheFirst() {
    assertThat(Arrays.stream(HelloPhase.values()).map(HelloPhase::toString))
        .containsExactly("Pending", "Running", "Succeeded", "Failed");
    assertThat(HelloPhase.of(null)).contains(HelloPhase.PENDING);
    assertThat(HelloPhase.of("")).contains(HelloPhase.PENDING);
    assertThat(HelloPhase.of("Failed")).contains(HelloPhase.FAILED);
    assertThat(HelloPhase.of("failed")).isEmpty();
  }
}
