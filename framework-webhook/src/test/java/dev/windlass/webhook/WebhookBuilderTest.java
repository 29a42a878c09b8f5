// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class WebhookBuilderTest {

  @Test
  void configurationsAreNotAppliedWithoutTheCaOfMountedCertificates() {
    WebhookBuilder builder =
        Webhooks.forService("hooks")
            .validate(ConfigMap.class, request -> Verdict.allow())
            .certificatesIn(Path.of("/certificates"))
            .applyConfigurations();
    assertThatThrownBy(() -> builder.register(null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("/certificates")
        .hasMessageContaining("call injectAuthority()");
  }
}
