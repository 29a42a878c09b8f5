// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The folders that run the examples in a cluster, applied as their README says. */
final class ManifestsIT {

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES =
      RealApiServerExtension.own(RealApiServer.builder());

  @TempDir private Path folder;

  /** Also what lies in a namespace that is made by the same command. */
  @ParameterizedTest
  @ValueSource(strings = {"foo", "hello", "tenant"})
  void areAppliedAtTheFirstTry(String example) {
    Path manifests = Path.of("..", example, "manifests");
    Kubectl.Output applied =
        Kubectl.on(KUBERNETES.server(), folder)
            .run("apply", "--server-side", "-f", manifests.toString());
    assertThat(applied.exit()).as(applied.text()).isZero();
    assertThat(applied.lines())
        .hasSizeGreaterThan(5)
        .allMatch(line -> line.endsWith(" serverside-applied"))
        .anyMatch(line -> line.startsWith("deployment.apps/"));
  }
}
