// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server of {@link RealApiServerProgram}, for kubectl and until SIGTERM. */
final class RealApiServerProgramIT {

  @TempDir Path folder;

  @Test
  @Timeout(120)
  void servesUntilSigterm() throws Exception {
    Path kubeconfig = folder.resolve("kubeconfig");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                RealApiServerProgram.class.getName(),
                kubeconfig.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader out = process.inputReader()) {
      assertThat(out.readLine()).startsWith("The API server https://127.0.0.1:");
      assertThat(out.readLine()).isEqualTo("export KUBECONFIG=" + kubeconfig);
      Config config = Config.fromKubeconfig(Files.readString(kubeconfig));
      try (KubernetesClient kubectl = new KubernetesClientBuilder().withConfig(config).build()) {
        assertThat(kubectl.namespaces().withName("default").get()).isNotNull();
      }
      List<ProcessHandle> children = process.descendants().toList();
      assertThat(children).hasSizeGreaterThanOrEqualTo(2);
      process.destroy(); // SIGTERM
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(children).noneMatch(ProcessHandle::isAlive);
      assertThat(kubeconfig).doesNotExist();
    } finally {
      process.destroyForcibly();
    }
  }
}
