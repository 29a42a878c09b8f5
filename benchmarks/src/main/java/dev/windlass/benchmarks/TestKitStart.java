// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.reconciler.ReconcilerTest;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how long a test waits for the test kit: for an embedded API server and its first object,
 * with and without sockets, and for an operator in virtual time and its first reconcile. The first
 * start of each kind includes the loading of its classes. The benchmark prints Markdown and needs
 * no server.
 */
public final class TestKitStart {

  private static final int ROUNDS = 50;

  private TestKitStart() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) {
    System.out.printf("%n### Start of the test kit, ms%n%n");
    System.out.println("| | first | median of the others |");
    System.out.println("|---|---|---|");
    report("embedded API server with sockets, one object", TestKitStart::withSockets);
    report("embedded API server in memory, one object", TestKitStart::inMemory);
    report("`ReconcilerTest`, one reconcile", TestKitStart::reconcile);
  }

  private static void report(String what, Runnable test) {
    List<Double> times = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      long begun = System.nanoTime();
      test.run();
      times.add((System.nanoTime() - begun) / 1e6);
    }
    double first = times.remove(0);
    times.sort(null);
    System.out.printf("| %s | %.0f | %.1f |%n", what, first, times.get(times.size() / 2));
  }

  private static ConfigMap map() {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace("default")
        .withName("first")
        .endMetadata()
        .build();
  }

  private static void createIn(EmbeddedApiServer server) {
    try (server;
        KubernetesClient client = server.newClient()) {
      client.resource(map()).create();
    }
  }

  private static void withSockets() {
    createIn(EmbeddedApiServer.start());
  }

  private static void inMemory() {
    createIn(EmbeddedApiServer.builder().withoutSockets().start());
  }

  private static void reconcile() {
    try (ReconcilerTest test =
        ReconcilerTest.of(ConfigMap.class, () -> (map, context) -> Result.done())) {
      test.create(map());
      test.reconcile().assertWrites();
    }
  }
}
