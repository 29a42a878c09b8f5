// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import dev.windlass.benchmarks.NarrowedRun.Way;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures the cost of a controller of Pods in a large cluster for each {@linkplain NarrowedRun.Way
 * way} to narrow its cache. Each run has its own JVM. In each round, the benchmark runs all ways
 * with plenty of heap, and all ways with the heap of a Pod of 256 MB. It prints Markdown, with
 * ratios relative to the default cache.
 *
 * <p>System properties:
 *
 * <ul>
 *   <li>{@code bench.objects}: the number of Pods, a multiple of 2,000; the figures in the guide on
 *       large clusters are for 120,000.
 *   <li>{@code bench.rounds}: the number of rounds; 3 by default.
 *   <li>{@code bench.cgroup}: the directory of a memory control group of 256 MB, in which the runs
 *       with the heap of a Pod take place. Without it, only the heap is limited.
 * </ul>
 *
 * <p>The benchmark needs {@code KUBEBUILDER_ASSETS}.
 */
public final class NarrowedComparison {

  /**
   * The time limit of one run. Without it, a program whose heap is slightly too small would collect
   * garbage forever.
   */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private static final Optional<Path> CGROUP =
      Optional.ofNullable(System.getProperty("bench.cgroup"))
          .filter(directory -> !directory.isEmpty())
          .map(Path::of);

  /** The heap configurations with which each way is measured. */
  enum Heap {
    ROOMY("-Xmx2g"),
    /** The flags for a Pod of 256 MB. The heap leaves room for the rest of the JVM. */
    POD("-Xmx160m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

    private final String flags;

    Heap(String flags) {
      this.flags = flags;
    }
  }

  private NarrowedComparison() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    compare(Integer.getInteger("bench.objects", 120_000), Integer.getInteger("bench.rounds", 3));
    System.exit(0); // the transport may leave threads running
  }

  /** Runs the measurement and prints the results. */
  static void compare(int pods, int rounds) throws IOException, InterruptedException {
    try (RealApiServer server = RealApiServer.builder().start();
        KubernetesClient client = BenchObjects.client(server.clientConfig())) {
      BenchPods.load(client, pods);
      System.out.printf("%n### Narrowed caches, %,d Pods%n%n", pods);
      String one = client.raw("/api/v1/namespaces/bench-0/pods/shop-000000");
      System.out.printf("A Pod is %,d bytes of JSON as the server sends it.%n%n", one.length());
      Path kubeconfig = Files.createTempFile("windlass-benchmark", ".kubeconfig");
      try {
        Files.writeString(kubeconfig, server.kubeconfig());
        print(pods, rounds(kubeconfig, pods, rounds));
      } finally {
        Files.delete(kubeconfig);
      }
    }
  }

  /**
   * Returns the figures of all rounds, by heap and way. A list is empty if a run of the way failed.
   */
  private static Map<Heap, Map<Way, List<InformerFigures>>> rounds(
      Path kubeconfig, int pods, int rounds) throws IOException, InterruptedException {
    Map<Heap, Map<Way, List<InformerFigures>>> all = new EnumMap<>(Heap.class);
    for (int round = 0; round < rounds; round++) {
      for (Heap heap : Heap.values()) {
        Map<Way, List<InformerFigures>> ofHeap =
            all.computeIfAbsent(heap, h -> new EnumMap<>(Way.class));
        for (Way way : Way.values()) {
          List<InformerFigures> sofar = ofHeap.computeIfAbsent(way, w -> new ArrayList<>());
          if (sofar.size() == round) { // skips a way that failed, because a failure is slow
            Optional<InformerFigures> figures = run(way, heap, kubeconfig, pods);
            System.err.printf("%s %s: %s%n", way, heap.flags, figures);
            figures.ifPresentOrElse(sofar::add, sofar::clear);
          }
        }
      }
    }
    return all;
  }

  private static Optional<InformerFigures> run(Way way, Heap heap, Path kubeconfig, int pods)
      throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(List.of(heap.flags.split(" ", -1)));
    flags.add("-XX:+ExitOnOutOfMemoryError");
    return ChildJvm.run(
            NarrowedRun.class,
            flags,
            List.of(way.name(), kubeconfig.toString(), Integer.toString(pods)),
            LIMIT,
            heap == Heap.POD ? CGROUP : Optional.empty())
        .flatMap(lines -> lines.stream().filter(InformerFigures::isLine).findFirst())
        .map(InformerFigures::ofLine);
  }

  private static void print(int pods, Map<Heap, Map<Way, List<InformerFigures>>> rounds) {
    System.out.println(
        "| what is cached | Pods | heap MB | of the default | s until all are reconciled | peak RSS"
            + " MB in a Pod of 256 MB |");
    System.out.println("|---|---|---|---|---|---|");
    InformerFigures usual = median(rounds, Heap.ROOMY, Way.BY_DEFAULT).orElseThrow();
    for (Way way : Way.values()) {
      InformerFigures roomy = median(rounds, Heap.ROOMY, way).orElseThrow();
      System.out.printf(
          "| %s | %,d | %.1f | %.2f | %.1f | %s |%n",
          way.title(),
          way.of(pods),
          roomy.heapBytes() / 1e6,
          roomy.heapBytes() / usual.heapBytes(),
          roomy.seconds(),
          median(rounds, Heap.POD, way)
              .map(figures -> "%.0f".formatted(figures.residentBytes() / 1e6))
              .orElse("does not fit"));
    }
  }

  private static Optional<InformerFigures> median(
      Map<Heap, Map<Way, List<InformerFigures>>> rounds, Heap heap, Way way) {
    List<InformerFigures> figures =
        rounds.getOrDefault(heap, Map.of()).getOrDefault(way, List.of());
    return figures.isEmpty() ? Optional.empty() : Optional.of(InformerFigures.median(figures));
  }
}
