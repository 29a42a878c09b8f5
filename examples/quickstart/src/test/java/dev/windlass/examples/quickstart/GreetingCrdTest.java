// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The CRD that the build generates, as docs/getting-started.md describes it. */
final class GreetingCrdTest {

  private static final Path CRD =
      Path.of("target/classes/META-INF/fabric8/greetings.quickstart.windlass.dev-v1.yml");

  /** By the annotation on the getter, because the field belongs to a class of fabric8. */
  @Test
  void requiresASpec() throws IOException {
    JSONSchemaProps schema =
        Serialization.unmarshal(Files.readString(CRD), CustomResourceDefinition.class)
            .getSpec()
            .getVersions()
            .get(0)
            .getSchema()
            .getOpenAPIV3Schema();
    assertThat(schema.getRequired()).containsExactly("spec");
    assertThat(schema.getProperties().get("spec").getProperties().get("name").getMaxLength())
        .isEqualTo(100);
  }
}
