// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.JavaProcess;
import dev.windlass.testsupport.Page;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The program itself: two replicas, their metrics, and what they print. */
final class TenantOperatorIT {

  private static final String NAME = "tenant-sample";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  @TempDir private Path folder;

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private JavaProcess start(int metricsPort) throws IOException {
    Path file = Files.writeString(folder.resolve("kubeconfig"), kubernetes.server().kubeconfig());
    return JavaProcess.start(
        TenantOperator.class,
        "--kubeconfig=" + file,
        "--enable-leader-election",
        "--leader-election-namespace=default",
        "--metrics-bind-address=127.0.0.1:" + metricsPort,
        "--health-probe-bind-address=0");
  }

  @Test
  void letsOneOfTwoReplicasWork() throws Exception {
    kubernetes.server().install(TenantArtifacts.crd());
    int port = freePort();
    try (KubernetesClient kubectl = kubernetes.server().newClient();
        JavaProcess leader = start(port)) {
      World world = new World(kubectl);
      leader.awaitLine("Started workers");
      try (JavaProcess standby = start(freePort())) {
        world.create(TenantArtifacts.sample(NAME));
        world.awaitReady(NAME);
        world.awaitOneEvent(NAME, "Updated");
        leader.awaitLine("run something");
        assertThat(standby.lines()).noneMatch(line -> line.contains("run something"));
        String text = Page.get(port, "/metrics").body();
        assertThat(text)
            .containsPattern("(?m)^tenant_controller_added_namespaces(\\{})? 2(\\.0)?$")
            .containsPattern("(?m)^tenant_controller_removed_namespaces(\\{})? 0(\\.0)?$")
            .containsPattern("controller_runtime_reconcile_total\\{.*controller=\"tenant\"")
            .contains("workqueue_depth{")
            .contains("rest_client_requests_total{");

        leader.terminate();
        assertThat(leader.awaitExit()).isZero();

        standby.awaitLine("Started workers");
        standby.awaitLine("run something");
        world.delete(NAME);
        standby.terminate();
        assertThat(standby.awaitExit()).isZero();
      }
      assertThat(kubectl.leases().inNamespace("default").withName("27475f02.example.com").get())
          .isNotNull();
    }
  }
}
