// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a real server says to the CRD that the build makes, and to the sample. */
final class GreetingCrdIT {

  private static final String CRD = "greetings.quickstart.windlass.dev";

  private static final String WITHOUT_SPEC =
      """
      apiVersion: quickstart.windlass.dev/v1
      kind: Greeting
      metadata:
        name: empty
      """;

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  @Test
  void isAppliedByKubectlAndEstablished(@TempDir Path folder) throws IOException {
    Kubectl kubectl = Kubectl.on(kubernetes.server(), folder);
    assertThat(kubectl.applyCrd("target/classes/META-INF/fabric8/" + CRD + "-v1.yml"))
        .contains(CRD + " created");
    assertThat(kubectl.run("create", "-n", "default", "-f", "greeting.yaml").text())
        .endsWith(" created\n");
    Path empty = Files.writeString(folder.resolve("empty.yaml"), WITHOUT_SPEC);
    assertThat(kubectl.run("create", "-n", "default", "-f", empty.toString()).text())
        .contains("spec: Required value");
    assertThat(kubectl.run("delete", "crd", CRD).exit()).isZero();
  }
}
