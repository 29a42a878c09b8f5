// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the whole path does for an object and for an event: writes, requests and decodes, counted at
 * the server and in the client. The table in {@code docs/performance.md} lists these counts.
 */
@Timeout(120)
abstract class WholePathContract {

  private static final int BENCHES = 50;

  /**
   * One request lists and watches a type; two check the permissions. No discovery, and no reads.
   */
  private static final Map<String, Integer> START =
      Map.of(
          "GET /api/v1/configmaps", 1,
          "GET /apis/counts.windlass.dev/v1/benchs", 1,
          "GET /version", 1,
          "POST /apis/authorization.k8s.io/v1/selfsubjectrulesreviews", 1);

  private static final Map<String, Integer> WRITES =
      Map.of(
          "PATCH /api/v1/configmaps/*", BENCHES,
          "PUT /apis/counts.windlass.dev/v1/benchs/*/status", BENCHES);

  /** The responses of the two requests that check the permissions. */
  private static final int START_PARSES = 2;

  /**
   * A reconcile without writes: the bench, and the cached ConfigMap for its owner and for the
   * apply.
   */
  private static final int NO_OP_PARSES = 3;

  /**
   * A reconcile that writes both: the bench, and again to compare the status, its JSON for the
   * fields that the class does not declare, the copy of the ConfigMap that can only be created,
   * both responses, and what was sent and received for the comparison of the next apply.
   */
  private static final int WRITE_PARSES = 8;

  /**
   * The first reconcile after a restart: as without writes, and what the server has recorded of the
   * apply, with the key of the owner, and the two sides of the comparison.
   */
  private static final int RESTART_PARSES = 7;

  /** The server, which has no controller manager: that would write as well. */
  abstract TestApiServer server();

  /** Returns a client that this contract uses beside the program, and closes. */
  abstract KubernetesClient kubectl();

  /** Returns the number of writes to benches and ConfigMaps that the server has received. */
  abstract int writes(KubernetesClient kubectl);

  private record Counts(int reconciles, int typed, int parses) {
    Counts since(Counts before) {
      return new Counts(
          reconciles - before.reconciles, typed - before.typed, parses - before.parses);
    }
  }

  @Test
  void doesNothingTwice() {
    server().install(Bench.definition());
    try (KubernetesClient kubectl = kubectl()) {
      BenchFleet fleet = new BenchFleet(kubectl, BENCHES);
      fleet.create();
      try {
        converges(kubectl);
        restarts(kubectl, fleet);
      } finally {
        fleet.delete();
      }
    }
  }

  private void converges(KubernetesClient kubectl) {
    int writesBefore = writes(kubectl);
    CountedRequests requests = new CountedRequests();
    try (BenchProgram program = program(requests);
        JsonParses parses = new JsonParses(program.manager().kubernetesClient())) {
      Counts before = counts(program, parses);
      program.manager().start();
      program.awaitSettled(BENCHES, "");

      Map<String, Integer> expected = new TreeMap<>(START);
      expected.putAll(WRITES);
      soon(
          () ->
              assertThat(requests.sent())
                  .as("requests of a converge; see CachedClient, LiveClient")
                  .isEqualTo(expected));
      assertThat(writes(kubectl) - writesBefore)
          .as(
              "writes at the server: a ConfigMap and a status for each bench; see Owned, Connection")
          .isEqualTo(2 * BENCHES);
      soon(
          () -> {
            Counts done = counts(program, parses).since(before);
            assertThat(done.typed())
                .as(
                    "benches decoded: once in each reconcile, and twice for each status; see CachedClient")
                .isEqualTo(done.reconciles() + 2 * BENCHES);
            assertThat(done.parses())
                .as("JSON parsed in a converge; see ApplyCache, LiveClient, Owned: %s", done)
                .isEqualTo(
                    START_PARSES
                        + WRITE_PARSES * BENCHES
                        + NO_OP_PARSES * (done.reconciles() - BENCHES));
          });
    }
  }

  private void restarts(KubernetesClient kubectl, BenchFleet fleet) {
    int writesBefore = writes(kubectl);
    CountedRequests requests = new CountedRequests();
    try (BenchProgram program = program(requests);
        JsonParses parses = new JsonParses(program.manager().kubernetesClient())) {
      Counts before = counts(program, parses);
      program.manager().start();
      program.awaitSettled(BENCHES, "");

      soon(
          () ->
              assertThat(requests.sent())
                  .as("requests of a restart; see ApplyCache")
                  .isEqualTo(START));
      soon(
          () ->
              assertThat(counts(program, parses).since(before))
                  .as("decodes of a restart; see ApplyCache.ofAnotherProcess")
                  .isEqualTo(
                      new Counts(BENCHES, BENCHES, START_PARSES + RESTART_PARSES * BENCHES)));

      Counts restarted = counts(program, parses);
      fleet.mark("changed");
      program.awaitSettled(BENCHES, "changed");
      assertThat(counts(program, parses).since(restarted))
          .as("decodes for a MODIFIED event; see Owned.apply, ApplyCache.unchanged")
          .isEqualTo(new Counts(BENCHES, BENCHES, NO_OP_PARSES * BENCHES));
      assertThat(requests.sent()).as("requests after changes of others").isEqualTo(START);
      assertThat(writes(kubectl) - writesBefore)
          .as("writes at the server, which the test alone has sent")
          .isEqualTo(BENCHES);
    }
  }

  private BenchProgram program(CountedRequests requests) {
    return new BenchProgram(Manager.builder().config(server().clientConfig()).transport(requests));
  }

  private static Counts counts(BenchProgram program, JsonParses parses) {
    return program.betweenReconciles(
        () -> new Counts(program.reconciles(), Bench.DECODED.get(), parses.count()));
  }

  /** Waits for the check of the permissions, which runs beside the reconciles. */
  private static void soon(Runnable assertion) {
    eventually().atMost(Duration.ofSeconds(10)).untilAsserted(assertion::run);
  }
}
