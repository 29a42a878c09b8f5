// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RealApiServerExtensionTest {

  @Test
  void saysHowToUseItWhereNoServerRuns() {
    assertThatThrownBy(RealApiServerExtension.shared()::server)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("@RegisterExtension");
  }
}
