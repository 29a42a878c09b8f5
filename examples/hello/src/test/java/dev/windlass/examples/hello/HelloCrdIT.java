// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.Kubectl;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a real server says to the CRD that the build makes, and to the sample. */
final class HelloCrdIT {

  private static final String CRD = "hellos.myapp.whichxjy.com";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  @Test
  void isAppliedByKubectlAndEstablished(@TempDir Path folder) {
    Kubectl kubectl = Kubectl.on(kubernetes.server(), folder);
    assertThat(kubectl.applyCrd("target/classes/META-INF/fabric8/" + CRD + "-v1.yml"))
        .contains(CRD + " created");
    assertThat(kubectl.run("apply", "-n", "default", "-f", "config/samples"))
        .isEqualTo(new Kubectl.Output(0, "hello.myapp.whichxjy.com/hello-sample created\n"));
    assertThat(kubectl.run("delete", "crd", CRD).exit()).isZero();
  }
}
