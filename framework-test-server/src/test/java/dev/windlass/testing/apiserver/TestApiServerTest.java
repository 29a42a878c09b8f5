// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import org.junit.jupiter.api.Test;

/** What {@code QuickstartTest} does not show of the definitions that a class brings with it. */
final class TestApiServerTest {

  @Group("testserver.windlass.dev")
  @Version("v1")
  @SuppressWarnings("serial") // nobody serializes it
  private static final class Widget extends CustomResource<Void, Void> {}

  @Test
  void saysWhichFileItMisses() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> server.install(Widget.class))
          .withMessageContaining("META-INF/fabric8/")
          .withMessageContaining("-v1.yml on the class path of " + Widget.class.getName())
          .withMessageContaining("crd-generator-maven-plugin");
    }
  }
}
