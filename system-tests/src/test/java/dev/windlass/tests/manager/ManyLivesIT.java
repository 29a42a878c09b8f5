// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A manager that leads, reconciles and stops, hundreds of times in one process
 * (docs/reliability.md, K3). Only the managers run in this process: a server in it would make the
 * measurement impossible, because it adds 12 KB of changes, requests and buffers of its threads per
 * life.
 *
 * <p>Measured after 300 lives: 64 to 150 KB more, which are class names, netty's pools and resting
 * threads, and become fewer with each life; none of Windlass's objects remain. A leak of 2 KB per
 * life exceeds the bound.
 */
final class ManyLivesIT {

  private static final Logger log = LoggerFactory.getLogger(ManyLivesIT.class);

  private static final int LIVES = Integer.getInteger("lives", 200);

  /** Lives after which everything has been loaded and every pool has its size. */
  private static final int WARM = 50;

  /** What each life may add to the heap, in bytes. */
  private static final long HEAP_PER_LIFE = 1_536;

  /** For whatever outlives a manager: the threads of schedulers rest 10 s before they end. */
  private static final Duration SETTLED = Duration.ofSeconds(30);

  @AutoClose private ServerProcess server;
  @AutoClose private KubernetesClient kubectl;

  @BeforeEach
  void startsAServer() throws IOException {
    server = new ServerProcess();
    kubectl = new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    kubectl.resource(Samples.map("default", "a")).create();
  }

  private record Footprint(int threads, long descriptors, long heap) {

    static Footprint now() throws IOException {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      long heap = runtime.totalMemory() - runtime.freeMemory();
      try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
        return new Footprint(Thread.getAllStackTraces().size(), open.count(), heap);
      }
    }
  }

  @Test
  @Timeout(900)
  void leavesNothingBehind() throws Exception {
    liveManyTimes(WARM);
    eventually().atMost(SETTLED).until(() -> !hasIdleSchedulers());
    Footprint before = Footprint.now();
    liveManyTimes(LIVES);
    eventually().atMost(SETTLED).until(() -> !hasIdleSchedulers());
    log.info("{} lives: {}, then {}", LIVES, before, Footprint.now());
    eventually().atMost(SETTLED).untilAsserted(() -> assertFlat(before));
  }

  private static boolean hasIdleSchedulers() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("windlass-scheduler"));
  }

  private static void assertFlat(Footprint before) throws IOException {
    Footprint after = Footprint.now();
    assertThat(after.threads()).as("threads").isLessThanOrEqualTo(before.threads() + 5);
    assertThat(after.descriptors()).as("files").isLessThanOrEqualTo(before.descriptors() + 10);
    assertThat(after.heap()).as("bytes").isLessThan(before.heap() + LIVES * HEAP_PER_LIFE);
  }

  /** Half of the managers are given a client, the others make one. */
  private void liveManyTimes(int times) throws InterruptedException {
    for (int i = 0; i < times / 2; i++) {
      live(Manager.builder().client(kubectl));
      live(Manager.builder().config(server.clientConfig()));
    }
  }

  private static void live(ManagerBuilder builder) throws InterruptedException {
    CountDownLatch reconciled = new CountDownLatch(1);
    try (Manager manager =
        builder
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
