// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.comparison;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.probes.HttpProbe;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The embedded server answers random operations as a real one does.
 *
 * <p>{@code -Dcomparison.operations=N} sets how many, {@code -Dcomparison.seed=S} repeats a run,
 * and {@code -Dcomparison.replay=FILE} executes the operations in a file, one in each line.
 */
final class RandomOperationsIT {
  private static final int OPERATIONS = Integer.getInteger("comparison.operations", 20_000);

  /**
   * The number of distinct differences from which on the run fails, and ends. Fresh seeds still
   * find about ten in 20,000 operations, which are printed; a run of unchanged code must not find
   * many more.
   */
  private static final int FAILURES = Integer.getInteger("comparison.failures", 25);

  /** The number of differences whose sequences are shortened, which takes seconds for each. */
  private static final int SHORTENED = 5;

  private static final int THREADS = 24;

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(
          RealApiServer.builder().apiServerFlags("--service-cluster-ip-range=10.0.0.0/20"));

  private static EmbeddedApiServer embedded;

  private record Failure(List<Operation> sequence, Difference difference) {}

  @BeforeAll
  static void defines() {
    embedded =
        EmbeddedApiServer.builder().garbageCollection(false).deploymentController(false).start();
    for (TestApiServer server : List.of(kubernetes.server(), embedded)) {
      HttpProbe http = HttpProbe.on(server);
      Kind.definitions()
          .forEach(
              crd -> assertThat(http.post(HttpProbe.CRDS, crd.toString()).code()).isEqualTo(201));
      for (String plural : List.of("widgets", "gadgets")) {
        eventually()
            .atMost(Duration.ofSeconds(20))
            .until(() -> http.get("/apis/compare.example.com/v1/" + plural).code() == 200);
      }
    }
  }

  @AfterAll
  static void stops() {
    embedded.close();
  }

  @Test
  void areAnsweredAsByARealServer() throws Exception {
    Comparison comparison = new Comparison(kubernetes.server(), embedded);
    String replay = System.getProperty("comparison.replay");
    if (replay != null) {
      List<Operation> sequence =
          Files.readAllLines(Path.of(replay)).stream()
              .filter(line -> !line.startsWith("#"))
              .map(Operation::parse)
              .toList();
      assertThat(comparison.run(sequence)).isEmpty();
      return;
    }
    long seed = Long.getLong("comparison.seed", new Random().nextInt(1_000_000_000));
    Map<String, Failure> failures = new ConcurrentHashMap<>();
    long start = System.nanoTime();
    AtomicLong next = new AtomicLong(seed * 1_000_003);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                while (comparison.operations() < OPERATIONS && failures.size() < FAILURES) {
                  List<Operation> sequence =
                      new RandomOperations(next.getAndIncrement()).sequence();
                  comparison
                      .run(sequence)
                      .ifPresent(
                          d -> failures.putIfAbsent(d.signature(), new Failure(sequence, d)));
                }
              }));
    }
    threads.shutdown();
    for (Future<?> thread : running) {
      thread.get();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "comparison.seed=%d: %,d operations in %.0f s, %.0f per second%n",
        seed, comparison.operations(), seconds, comparison.operations() / seconds);
    KnownDifference.ALL.forEach(
        known -> System.out.printf("%,7d x %s%n", known.occurrences().sum(), known.reason()));
    List<String> reports = new ArrayList<>();
    for (Failure failure : failures.values()) {
      List<Operation> sequence =
          reports.size() < SHORTENED
              ? comparison.shrink(failure.sequence(), failure.difference())
              : failure.sequence();
      reports.add(report(sequence, failure.difference(), reports.size()));
    }
    System.out.printf("%d differences that no table explains:%n", reports.size());
    reports.forEach(System.out::println);
    assertThat(reports).as("differences with seed %d", seed).hasSizeLessThan(FAILURES);
  }

  private static String report(List<Operation> sequence, Difference difference, int number)
      throws IOException {
    String operations =
        sequence.stream().map(Operation::toString).collect(Collectors.joining("\n"));
    String text =
        "# %s%n# at %s%n# real:     %s%n# embedded: %s%n%s%n"
            .formatted(
                difference.operation().summary(),
                difference.path(),
                difference.real(),
                difference.embedded(),
                operations);
    Path file = Files.createDirectories(Path.of("target", "comparison")).resolve(number + ".txt");
    return Files.writeString(file, text) + ":\n" + text;
  }
}
