// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reasons for which it does not start; {@link RealApiServerProgramIT} starts it. */
final class RealApiServerProgramTest {

  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final RealApiServerProgram program =
      new RealApiServerProgram(
          new PrintStream(out, true, StandardCharsets.UTF_8),
          new PrintStream(err, true, StandardCharsets.UTF_8));

  @Test
  void explainsHowToGetMissingAssets() {
    Path kubeconfig = folder.resolve("kubeconfig");
    assertThat(program.start(kubeconfig, folder.toString())).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .startsWith("KUBEBUILDER_ASSETS=" + folder + " lacks etcd, kube-apiserver; ")
        .contains(
            "setup-envtest use",
            "go install sigs.k8s.io/controller-runtime/tools/setup-envtest@latest",
            "framework-test-server/real-apiserver/assets.sh");
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(kubeconfig).doesNotExist();
  }

  /** It may be the kubeconfig of a real cluster. */
  @Test
  void keepsAFileThatExists() throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), "a real cluster");
    assertThat(program.start(kubeconfig, folder.toString())).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualToNormalizingNewlines(
            kubeconfig + " already exists: name a file that does not exist\n");
    assertThat(kubeconfig).hasContent("a real cluster");
  }
}
