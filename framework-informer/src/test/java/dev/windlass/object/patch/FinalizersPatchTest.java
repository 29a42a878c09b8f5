// SPDX-License-Identifier: Apache-2.0
package dev.windlass.object.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FinalizersPatchTest {

  private final ConfigMap object =
      new ConfigMapBuilder()
          .withNewMetadata()
          .withNamespace("default")
          .withName("a")
          .withResourceVersion("7")
          .endMetadata()
          .build();

  @Test
  void replacesTheListOfOneVersion() {
    assertThat(FinalizersPatch.of(object, List.of("b.c/d", "\"")))
        .isEqualTo(
            "[{\"op\":\"replace\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"},"
                + "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"b.c/d\",\"\\\"\"]}]");
  }

  @Test
  void needsAVersion() {
    object.getMetadata().setResourceVersion(null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FinalizersPatch.of(object, List.of()))
        .withMessage("ConfigMap default/a has no resourceVersion; read it from the server first");
  }
}
