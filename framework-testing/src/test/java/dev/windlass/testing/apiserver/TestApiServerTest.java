// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.owned.Widget;
import org.junit.jupiter.api.Test;

/** What {@code QuickstartTest} does not show of the definitions that a class brings with it. */
final class TestApiServerTest {

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
