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
import org.junit.jupiter.params.provider.CsvSource;

/** The kustomize folders of the examples, applied as their READMEs say. */
final class ManifestsIT {

  @RegisterExtension
  static final RealApiServerExtension KUBERNETES =
      RealApiServerExtension.own(RealApiServer.builder());

  @TempDir private Path folder;

  /** Also what lies in a namespace that is made by the same command. */
  @ParameterizedTest
  @CsvSource({
    "foo, foo-operator",
    "hello, hello-operator",
    "tenant, tenant-operator",
    "versions, sites-operator"
  })
  void areAppliedAtTheFirstTry(String example, String operator) throws Exception {
    Path written = folder.resolve("kustomize");
    InstalledProgram.write(
        InstalledProgram.jar(example, operator),
        "--write-kustomize=" + written,
        "--write-namespace=" + example + "-system");
    Kubectl kubectl = Kubectl.on(KUBERNETES.server(), folder);
    Kubectl.Output applied = kubectl.run("apply", "--server-side", "-k", written.toString());
    assertThat(applied.exit()).as(applied.text()).isZero();
    assertThat(applied.lines())
        .hasSizeGreaterThan(5)
        .allMatch(line -> line.endsWith(" serverside-applied"))
        .anyMatch(line -> line.startsWith("deployment.apps/"));

    Kubectl.Output deleted =
        kubectl.run("delete", "--wait=false", "-k", written.resolve("operator").toString());
    assertThat(deleted.exit()).as(deleted.text()).isZero();
    assertThat(deleted.lines())
        .as("a deletion of a CRD would delete the objects of users")
        .hasSizeGreaterThan(3)
        .noneMatch(
            line -> line.startsWith("customresourcedefinition") || line.contains("namespace "));
  }
}
