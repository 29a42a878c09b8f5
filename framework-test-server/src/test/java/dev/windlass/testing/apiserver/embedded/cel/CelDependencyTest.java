// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The error for a rule if the optional dependency is missing. */
final class CelDependencyTest {

  @Test
  void namesTheDependencyWithItsVersion() {
    assertThat(CelDependency.MISSING).containsPattern("add dev\\.cel:cel:[0-9]+(\\.[0-9]+)+ to ");
  }
}
