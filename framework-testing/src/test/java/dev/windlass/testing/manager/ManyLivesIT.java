// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K3: a manager that leads, reconciles and stops, a thousand times in one process. */
final class ManyLivesIT {

  private static final int LIVES = Integer.getInteger("lives", 1_000);

  /** Lives after which everything has been loaded and every pool has its size. */
  private static final int WARM = 50;

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  private final KubernetesClient kubectl = server.newClient();

  @AfterEach
  void stopsTheServer() {
    kubectl.close();
    server.close();
  }

  private record Footprint(int threads, long descriptors, long heap) {

    static Footprint now() throws IOException {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        return new Footprint(
            Math.toIntExact(
                Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !thread.getName().startsWith("embedded-apiserver"))
                    .count()),
            open.count(),
            runtime.totalMemory() - runtime.freeMemory());
      }
    }
  }

  @Test
  @Timeout(300)
  void leavesNothingBehind() throws Exception {
    kubectl
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build())
        .create();
    for (int i = 0; i < WARM; i++) {
      live();
    }
    server.dropWatches();
    Footprint before = Footprint.now();
    for (int i = 0; i < LIVES; i++) {
      live();
    }
    await()
        .atMost(Duration.ofSeconds(60)) // an idle scheduler ends after 10 s; sockets are noticed
        .untilAsserted(() -> assertFlat(before));
  }

  private void assertFlat(Footprint before) throws IOException {
    server.dropWatches(); // the server finds out late that nobody listens
    Footprint after = Footprint.now();
    assertThat(after.threads()).isLessThanOrEqualTo(before.threads() + 5);
    assertThat(after.descriptors()).isLessThanOrEqualTo(before.descriptors() + 10);
    assertThat(after.heap()).as("bytes").isLessThan(before.heap() + 10_000_000);
  }

  private void live() throws InterruptedException {
    CountDownLatch reconciled = new CountDownLatch(1);
    try (Manager manager =
        Manager.builder()
            .client(kubectl)
            .leaderElection(LeaderElectionOptions.of("lives").withNamespace("default"))
            .build()) {
      ControllerBuilder.forType(ConfigMap.class)
          .reconciler(
              (request, context) -> {
                reconciled.countDown();
                return Result.done();
              })
          .register(manager);
      manager.start();
      assertThat(reconciled.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(manager.stop()).isTrue();
    }
  }
}
