// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the examples do not show of it: they apply CRDs that are well. */
final class KubectlIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Test
  void saysWhyACrdCantBeApplied(@TempDir Path folder) {
    Kubectl kubectl = Kubectl.on(kubernetes.server(), folder);
    assertThatThrownBy(() -> kubectl.applyCrd("absent.yml"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("kubectl apply -f absent.yml: error: ")
        .hasMessageContaining("absent.yml");
  }
}
