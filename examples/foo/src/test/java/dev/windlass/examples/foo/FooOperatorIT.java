// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.JavaProcess;
import dev.windlass.behaviour.Proves;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The program itself: what it prints, how it ends, and what it says when something is missing. */
final class FooOperatorIT {

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  @TempDir private Path folder;
  @AutoClose private KubernetesClient kubectl;

  @BeforeEach
  void connects() {
    kubectl = kubernetes.server().newClient();
  }

  private JavaProcess start(String kubeconfig) throws IOException {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubeconfig);
    return JavaProcess.start(FooOperator.class, "--kubeconfig", file.toString());
  }

  private void createExample() {
    kubectl.resource(FooArtifacts.exampleFoo("default")).create();
  }

  /** The lines in their order, and exit code 0. */
  @Test
  @Proves({"001-36", "001-63", "001-92", "001-96"})
  void saysWhatItDoesAndEndsInOrder() throws Exception {
    kubernetes.server().install(FooArtifacts.crd());
    try (JavaProcess operator = start(kubernetes.server().kubeconfig())) {
      operator.awaitLine("Started workers");
      createExample();
      operator.awaitLine("Successfully synced 'default/example-foo'");

      operator.terminate();

      assertThat(operator.awaitExit()).isZero();
      List<String> said =
          operator.lines().stream().map(line -> line.split("	", -1)[3]).distinct().toList();
      assertThat(said)
          .containsSubsequence(
              "Setting up event handlers",
              "Starting Foo controller",
              "Waiting for informer caches to sync",
              "Starting workers",
              "Started workers",
              "Successfully synced 'default/example-foo'",
              "Shutting down workers");
      assertThat(said.get(said.size() - 1))
          .startsWith("The manager stopped after ")
          .endsWith(": SIGTERM received");
    }
  }

  /** One sentence that names the file, and exit code 1. */
  @Test
  @Proves("001-15")
  void refusesAKubeconfigThatItCantRead() throws Exception {
    Path garbage = Files.writeString(folder.resolve("garbage"), "{ this: [is no kubeconfig");
    for (String file : List.of(garbage.toString(), folder.resolve("absent").toString())) {
      try (JavaProcess operator = JavaProcess.start(FooOperator.class, "--kubeconfig", file)) {
        assertThat(operator.awaitExit()).isEqualTo(1);
        assertThat(operator.lines()).hasSize(1);
        assertThat(operator.lines().get(0)).contains("Error building kubeconfig: ").contains(file);
      }
    }
  }
}
