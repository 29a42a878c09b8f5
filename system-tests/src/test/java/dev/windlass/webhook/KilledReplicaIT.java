// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.JavaProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A replica is killed while a real API server calls it. */
final class KilledReplicaIT {

  private static final Logger log = LoggerFactory.getLogger(KilledReplicaIT.class);

  private static final int KILLS = 3;
  private static final int CLIENTS = 32;
  private static final int REQUESTS = 50;

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @TempDir private Path folder;
  @AutoClose private KubernetesClient kubectl;
  @AutoClose private final Balancer balancer = Balancer.open();
  private Path kubeconfig;

  KilledReplicaIT() throws IOException {}

  @BeforeEach
  void connects() throws IOException {
    kubectl = kubernetes.server().newClient();
    kubeconfig = folder.resolve("kubeconfig");
    Files.writeString(kubeconfig, kubernetes.server().kubeconfig());
  }

  @AfterEach
  void removesTheWebhooks() {
    WebhookReplica.uninstall(kubectl);
  }

  /** A process, and the port at which its server listens. */
  private record Replica(JavaProcess process, int port) {}

  private Replica start(String name) throws IOException {
    JavaProcess process =
        JavaProcess.start(WebhookProgram.class, kubeconfig.toString(), name, balancer.address());
    eventually()
        .untilAsserted(
            () -> assertThat(process.lines()).anyMatch(line -> line.startsWith("@@ port ")));
    int port =
        process.lines().stream()
            .filter(line -> line.startsWith("@@ port "))
            .map(line -> Integer.parseInt(line.substring("@@ port ".length())))
            .findFirst()
            .orElseThrow();
    return new Replica(process, port);
  }

  private static void awaitRequests(AdmissionLoad load) {
    long before = load.requests();
    eventually().untilAsserted(() -> assertThat(load.requests()).isGreaterThan(before + REQUESTS));
  }

  /** What is on its wire may fail, and nothing else. */
  @Test
  @Timeout(300)
  void losesAtMostWhatIsOnItsWire() throws Exception {
    Replica survivor = start("survivor");
    balancer.add(survivor.port());
    eventually().untilAsserted(() -> kubectl.resource(AdmissionLoad.object()).dryRun().create());
    CopiedConfiguration copy = new CopiedConfiguration(kubectl);
    try (JavaProcess stays = survivor.process();
        AdmissionLoad load =
            AdmissionLoad.start(kubernetes.clientConfig(), CLIENTS, Duration.ZERO)) {
      int lost = 0;
      for (int i = 0; i < KILLS; i++) {
        Replica killed = start("killed-" + i);
        balancer.add(killed.port());
        copy.trust(copy.bundle()); // opens new connections, to both replicas
        eventually()
            .untilAsserted(() -> assertThat(balancer.connections(killed.port())).isGreaterThan(1));
        awaitRequests(load);
        assertThat(load.failures()).as("before the replica is killed").isEmpty();
        balancer.remove(killed.port()); // as a Service does, before or after the kill
        killed.process().signal("KILL");
        killed.process().close();
        eventually().untilAsserted(() -> assertThat(balancer.connections(killed.port())).isZero());
        awaitRequests(load);
        List<String> onTheWire = load.takeFailures();
        assertThat(onTheWire).hasSizeLessThanOrEqualTo(CLIENTS);
        lost += onTheWire.size();
        log.info("Killed a replica with {} requests on its wire", onTheWire.size());
        awaitRequests(load);
        assertThat(load.failures()).as("after the replica was killed").isEmpty();
      }
      assertThat(lost).as("replicas were killed at work").isPositive();
      log.info(
          "Answered {} requests while {} replicas were killed; {} failed on their wires, 0 others",
          load.requests(),
          KILLS,
          lost);
      assertThat(stays.lines()).isNotEmpty();
    }
  }
}
