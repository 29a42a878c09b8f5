// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What an event leaves to the garbage collector on its way from the bytes of the watch to the end
 * of a reconcile that changes nothing, summed over all threads of the manager. The count is the
 * same on an idle and on a busy machine.
 */
final class WholePathAllocationTest {

  private static final int BENCHES = 50;

  /** 300 events. The JVM then allocates as much as it ever does with its first compiler. */
  private static final int WARM_UP = 6;

  /** 700 events. */
  private static final int ROUNDS = 14;

  /**
   * A quarter more than the 35,100 bytes that were measured, of which 5,500 are the reconciler's
   * own ConfigMap. The second compiler lowers the count, because it leaves out some objects.
   */
  private static final int LIMIT = 43_800;

  private static final ThreadMXBean JVM = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final ManagerThreads threads = new ManagerThreads();

  private long allocated() {
    return threads.alive().stream()
        .mapToLong(thread -> JVM.getThreadAllocatedBytes(thread.getId()))
        .sum();
  }

  private static void change(BenchFleet fleet, BenchProgram program, String name, int rounds) {
    for (int i = 0; i < rounds; i++) {
      fleet.mark(name + i);
      program.awaitSettled(BENCHES, name + i);
    }
  }

  @Test
  @Timeout(120)
  void anEventAllocatesLittle() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.inMemory().newClient();
        BenchProgram program =
            new BenchProgram(
                Manager.builder()
                    .config(server.clientConfig())
                    // No watch ends while something is measured.
                    .informerOptions(
                        InformerOptions.defaults().withWatchTimeout(Duration.ofMinutes(10))))) {
      server.install(Bench.definition());
      BenchFleet fleet = new BenchFleet(kubectl, BENCHES);
      fleet.create();
      program.manager().start();
      program.awaitSettled(BENCHES, "");
      change(fleet, program, "warm-up-", WARM_UP);
      long before = allocated();
      int reconciles = program.reconciles();

      change(fleet, program, "measured-", ROUNDS);

      long perEvent = (allocated() - before) / (ROUNDS * BENCHES);
      System.out.printf("the whole path: %d bytes are allocated for an event%n", perEvent);
      assertThat(program.reconciles() - reconciles).isEqualTo(ROUNDS * BENCHES);
      assertThat(perEvent)
          .as("bytes per event and reconcile; profile this test with jdk.ObjectAllocationSample")
          .isBetween(LIMIT / 4L, (long) LIMIT);
    }
  }
}
