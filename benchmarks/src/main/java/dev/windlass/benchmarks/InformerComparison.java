// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.benchmarks.InformerRun.Library;
import dev.windlass.testing.apiserver.real.RealApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the cost of an informer until it has synced, and the memory that it holds after the
 * sync. The informers of Windlass and fabric8 cache the same custom resources of one real API
 * server. Each informer runs in its own JVM, and the libraries alternate. All rounds run first with
 * plenty of heap, then with {@code -Xmx256m}, and finally with the flags of a small Pod. The
 * benchmark prints Markdown.
 *
 * <p>System properties, with their defaults: {@code bench.objects} (20,000), {@code bench.rounds}
 * (3). The benchmark needs {@code KUBEBUILDER_ASSETS}.
 */
public final class InformerComparison {

  /** The heap configurations in which each library runs. */
  enum Heap {
    ROOMY("-Xmx2g", "-Xmx2g"),
    TIGHT("-Xmx256m", "-Xmx256m"),
    /**
     * The JVM flags in the container images of the examples. On a machine with less than 1.8 GB of
     * memory, a JVM selects the serial collector by default.
     */
    POD("small Pod", "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

    private final String title;
    private final String flags;

    Heap(String title, String flags) {
      this.title = title;
      this.flags = flags;
    }

    /** Returns the name used in the report. */
    String title() {
      return title;
    }

    /** Returns the JVM flags, separated by spaces. */
    String flags() {
      return flags;
    }
  }

  /**
   * The time limit of one run. Without it, a program whose heap is slightly too small would collect
   * garbage forever.
   */
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private InformerComparison() {}

  /** Runs the benchmark. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    compare(Integer.getInteger("bench.objects", 20_000), Integer.getInteger("bench.rounds", 3));
    System.exit(0); // the transport may leave threads running
  }

  /** Runs the measurement and prints the results. */
  static void compare(int objects, int rounds) throws IOException, InterruptedException {
    try (RealApiServer server = RealApiServer.builder().start();
        KubernetesClient client = BenchObjects.client(server.clientConfig())) {
      BenchObjects.load(client, objects);
      System.out.printf("%n### Informer, %,d custom resources%n%n", objects);
      printSizes(client);
      Path kubeconfig = Files.createTempFile("windlass-benchmark", ".kubeconfig");
      try {
        Files.writeString(kubeconfig, server.kubeconfig());
        new InformerReport(objects, rounds(kubeconfig, objects, rounds)).print();
      } finally {
        Files.delete(kubeconfig);
      }
    }
  }

  /**
   * Returns the figures of all rounds, by heap and library. A list is empty if a run of the library
   * failed.
   */
  private static Map<Heap, Map<Library, List<InformerFigures>>> rounds(
      Path kubeconfig, int objects, int rounds) throws IOException, InterruptedException {
    Map<Heap, Map<Library, List<InformerFigures>>> all = new EnumMap<>(Heap.class);
    for (Heap heap : Heap.values()) {
      Map<Library, List<InformerFigures>> ofHeap = new EnumMap<>(Library.class);
      all.put(heap, ofHeap);
      for (int round = 0; round < rounds; round++) {
        for (Library library : Library.values()) {
          List<InformerFigures> sofar = ofHeap.computeIfAbsent(library, l -> new ArrayList<>());
          if (sofar.size() < round) {
            continue; // skips a library that failed, because a failure is slow
          }
          Optional<InformerFigures> figures = run(library, heap, kubeconfig, objects);
          System.err.printf("%s %s: %s%n", library, heap.flags(), figures);
          figures.ifPresentOrElse(sofar::add, sofar::clear);
        }
      }
    }
    return all;
  }

  private static Optional<InformerFigures> run(
      Library library, Heap heap, Path kubeconfig, int objects)
      throws IOException, InterruptedException {
    List<String> flags = new ArrayList<>(List.of(heap.flags().split(" ", -1)));
    flags.add("-XX:+ExitOnOutOfMemoryError");
    return ChildJvm.run(
            InformerRun.class,
            flags,
            List.of(library.name(), kubeconfig.toString(), Integer.toString(objects)),
            LIMIT)
        .flatMap(lines -> lines.stream().filter(InformerFigures::isLine).findFirst())
        .map(InformerFigures::ofLine);
  }

  /** Prints the average size of the objects on the server, with and without managedFields. */
  private static void printSizes(KubernetesClient client) throws IOException {
    JsonNode items =
        new ObjectMapper()
            .readTree(client.raw("/apis/bench.windlass.dev/v1/benchresources?limit=500"))
            .get("items");
    long with = 0;
    long without = 0;
    for (JsonNode item : items) {
      with += size(item);
      ((ObjectNode) item.get("metadata")).remove("managedFields");
      without += size(item);
    }
    System.out.printf(
        "An object is %,d bytes of JSON as the server sends it, %,d without managedFields.%n%n",
        with / items.size(), without / items.size());
  }

  private static int size(JsonNode item) {
    return item.toString().getBytes(StandardCharsets.UTF_8).length;
  }
}
