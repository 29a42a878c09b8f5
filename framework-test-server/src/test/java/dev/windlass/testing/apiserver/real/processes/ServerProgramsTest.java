// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProgramsTest {

  private static final String REMEDY =
      "run: export KUBEBUILDER_ASSETS=\"$(setup-envtest use -p path)\"";

  private static final String NOT_IN_ENVTEST =
      "setup-envtest does not install kube-controller-manager: put the one of a Kubernetes release"
          + " beside the others, or start the server without withControllerManager()";

  @TempDir Path directory;

  @Test
  void refusesAnUnsetVariableInOneSentence() {
    assertThatThrownBy(() -> ServerPrograms.locate(null, false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "KUBEBUILDER_ASSETS is not set, so etcd, kube-apiserver cannot be started; " + REMEDY);
  }

  @Test
  void namesWhatIsMissingAndWhereItLooked() throws IOException {
    program("etcd");

    assertThatThrownBy(() -> ServerPrograms.locate(directory.toString(), true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "KUBEBUILDER_ASSETS="
                + directory
                + " lacks kube-apiserver, kube-controller-manager; "
                + REMEDY
                + "; "
                + NOT_IN_ENVTEST);
  }

  @Test
  void saysThatEnvtestHasNoControllerManager() throws IOException {
    program("etcd");
    program("kube-apiserver");

    assertThatThrownBy(() -> ServerPrograms.locate(directory.toString(), true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "KUBEBUILDER_ASSETS="
                + directory
                + " lacks kube-controller-manager; "
                + NOT_IN_ENVTEST);
  }

  @Test
  void needsNoControllerManagerUnlessAsked() throws IOException {
    program("etcd");
    program("kube-apiserver");

    ServerPrograms programs = ServerPrograms.locate(directory.toString(), false);

    assertThat(programs.program("etcd")).isEqualTo(directory.resolve("etcd").toString());
  }

  private void program(String name) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
