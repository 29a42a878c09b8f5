// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The threads of a started manager with one controller of two types. {@code ThreadsTest} checks
 * their names against {@code docs/architecture.md}; here, each thread more is a decision.
 */
final class WholePathThreadsTest {

  private static final Map<String, Integer> EXPECTED =
      new TreeMap<>(
          Map.of(
              "bench-starter", 1,
              "bench-worker-<n>", BenchProgram.WORKERS,
              "informer-<resource>-applier", 2,
              "informer-<resource>-handler-<n>", 2,
              "informer-<resource>-reflector", 2,
              "permissions-check", 1,
              "windlass-scheduler", 1));

  /** A watch of each type, and the check of permissions if it needed a connection of its own. */
  private static final int CONNECTIONS = 3;

  private static final String CONNECTION = "windlass-http-<n>";

  private final ManagerThreads threads = new ManagerThreads();

  private Map<String, Integer> alive() {
    return threads.alive().stream()
        .map(thread -> thread.getName().replaceAll("\\d+$", "<n>"))
        .map(
            name ->
                name.replaceAll(
                    "^informer-.*-(applier|handler|reflector)", "informer-<resource>-$1"))
        .collect(Collectors.toMap(name -> name, name -> 1, Integer::sum, TreeMap::new));
  }

  @Test
  @Timeout(120)
  void aManagerStartsThoseOfTheListAndLeavesNone() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start()) {
      server.install(Bench.definition());
      PendingTimers timers = new PendingTimers();
      try (BenchProgram program =
          new BenchProgram(
              Manager.builder()
                  .config(server.clientConfig())
                  .informerOptions(InformerOptions.defaults().withScheduler(timers)))) {
        program.manager().start();
        eventually().until(program::isReady);
        soon(
            () -> {
              Map<String, Integer> alive = alive();
              assertThat(alive.remove(CONNECTION)).as("connections").isBetween(2, CONNECTIONS);
              Map<String, Integer> expected = new TreeMap<>(EXPECTED);
              expected.remove("bench-worker-<n>"); // they start with the first key
              assertThat(alive)
                  .as("threads of a started manager; see docs/architecture.md")
                  .isEqualTo(expected);
            });
        try (KubernetesClient kubectl = server.inMemory().newClient()) {
          new BenchFleet(kubectl, 1).create();
        }
        soon(
            () ->
                assertThat(alive())
                    .containsEntry("bench-worker-<n>", EXPECTED.get("bench-worker-<n>")));
      }
      soon(
          () -> {
            Map<String, Integer> left = alive();
            left.remove("windlass-scheduler"); // ends 10 s after its last timer
            assertThat(left).as("threads of a closed manager").isEmpty();
            assertThat(timers.count()).as("timers of a closed manager").isZero();
          });
    }
  }

  private static void soon(Runnable assertion) {
    eventually().atMost(Duration.ofSeconds(10)).untilAsserted(assertion::run);
  }
}
