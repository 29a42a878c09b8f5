// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerProgramsTest {

  private static final String REMEDY =
      "run: setup-envtest use, or export KUBEBUILDER_ASSETS=DIRECTORY";

  private static final String NOT_IN_ENVTEST =
      "setup-envtest does not install kube-controller-manager: put the one of a Kubernetes release"
          + " beside the others, or start the server without withControllerManager()";

  @TempDir Path directory;

  @Test
  void refusesAnUnsetVariableInOneSentence() {
    EnvtestStore none = new EnvtestStore(directory.resolve("k8s"), "linux-amd64");

    assertThatThrownBy(() -> ServerPrograms.locate(null, false, none))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "KUBEBUILDER_ASSETS is not set, and setup-envtest has installed nothing in "
                + directory.resolve("k8s")
                + ", so etcd, kube-apiserver cannot be started; "
                + REMEDY);
  }

  @Test
  void usesTheNewestVersionThatEnvtestHasInstalled() throws IOException {
    for (String version :
        List.of(
            "1.9.0-linux-amd64", "1.34.1-linux-amd64", "1.35.0-darwin-arm64", "tmp-linux-amd64")) {
      Path folder =
          Files.createDirectories(directory.resolve("kubebuilder-envtest/k8s/" + version));
      program(folder, "etcd");
      program(folder, "kube-apiserver");
    }
    EnvtestStore store =
        EnvtestStore.of(
            Map.of("XDG_DATA_HOME", directory.toString()), "/home/none", "linux", "amd64");
    Path newest = directory.resolve("kubebuilder-envtest/k8s/1.34.1-linux-amd64");

    assertThat(ServerPrograms.locate(" ", false, store).directory()).isEqualTo(newest);
    assertThatThrownBy(() -> ServerPrograms.locate(null, true, store))
        .hasMessage(newest + " lacks kube-controller-manager; " + NOT_IN_ENVTEST);
  }

  @ParameterizedTest
  @CsvSource({
    "linux, x86_64, /home/a/.local/share/kubebuilder-envtest/k8s, linux-amd64",
    "mac os x, aarch64, /home/a/Library/Application Support/io.kubebuilder.envtest/k8s,"
        + " darwin-arm64",
    "windows 11, amd64, /data/kubebuilder-envtest/k8s, windows-amd64"
  })
  void knowsWhereEnvtestInstalls(String os, String arch, String folder, String platform) {
    assertThat(EnvtestStore.of(Map.of("LOCALAPPDATA", "/data"), "/home/a", os, arch))
        .isEqualTo(new EnvtestStore(Path.of(folder), platform));
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
    program(directory, name);
  }

  private static void program(Path directory, String name) throws IOException {
    Path file = Files.createFile(directory.resolve(name));
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }
}
