// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The main program of the comparison, which {@code benchmarks/compare/run} starts. Within a round,
 * the rows take turns, and each round starts with a different row.
 */
public final class Compare {

  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration QUICK_WINDOW = Duration.ofSeconds(5);

  private static final int TRAINED_OBJECTS = 100;

  private static final String HEADING =
      """
      # Results of the comparison

      This page contains the medians of the last published run of `benchmarks/compare/run --write-docs`,
      which generates it. [The page of the comparison](../../benchmarks/compare/README.md) describes the
      programs and the scenarios. The ratio after each figure compares it with the lowest figure of the
      Java frameworks other than Windlass.

      """;

  private final Options options;
  private final List<Peer> peers;
  private final Results results = new Results();
  private final Path logs;

  private Compare(Options options, List<Peer> peers, Path logs) {
    this.options = options;
    this.peers = peers;
    this.logs = logs;
  }

  /**
   * Runs the comparison and prints the tables.
   *
   * @param args the options that {@code benchmarks/compare/README.md} lists
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Options options;
    try {
      options = Options.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Path root = Path.of(System.getProperty("compare.root"));
    List<Peer> peers =
        Peer.rows(
            root.resolve("benchmarks/compare/peers"),
            Set.of(System.getProperty("compare.built").split(",")),
            System.getProperty("compare.jdk25", ""),
            options);
    Path target = root.resolve("benchmarks/target/compare");
    Compare compare = new Compare(options, peers, target.resolve("logs"));
    compare.run();
    Report report = new Report(options, peers, compare.results);
    System.out.println(report.markdown());
    write(target, report);
    if (options.writeDocs()) {
      write(root.resolve("docs/performance"), report);
    }
    System.exit(0);
  }

  private static void write(Path directory, Report report) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("compare.md"), HEADING + report.markdown());
    Files.writeString(directory.resolve("compare.json"), report.json());
    for (Map.Entry<String, String> chart : report.charts().entrySet()) {
      Files.writeString(directory.resolve(chart.getKey()), chart.getValue());
    }
  }

  private void run() throws IOException, InterruptedException {
    train();
    for (int round = 0; round < options.rounds(); round++) {
      List<Peer> order = new ArrayList<>(peers);
      order.removeIf(peer -> peer.command().isEmpty());
      if (!order.isEmpty()) {
        Collections.rotate(order, -round % order.size());
      }
      reads(order);
      writes(order);
    }
  }

  /** Runs the programs with an archive once, so that their JVMs create it. */
  private void train() throws IOException, InterruptedException {
    List<Peer> training = peers.stream().flatMap(peer -> peer.training().stream()).toList();
    if (training.isEmpty()) {
      return;
    }
    try (BenchServer server = BenchServer.start()) {
      for (Peer peer : training) {
        new Runs(server, logs).train(peer, TRAINED_OBJECTS);
      }
    }
  }

  /** Runs the scenarios of the noop program. All rows of a round share the same objects. */
  private void reads(List<Peer> order) throws IOException, InterruptedException {
    for (Scenario scenario : List.of(Scenario.SYNC, Scenario.LATENCY)) {
      if (!options.scenarios().contains(scenario)) {
        continue;
      }
      for (int objects : options.objects(scenario)) {
        try (BenchServer server = BenchServer.start()) {
          server.seed(objects);
          Runs runs = new Runs(server, logs);
          for (Peer peer : order) {
            Duration window = options.quick() ? QUICK_WINDOW : WINDOW;
            add(
                scenario,
                objects,
                peer,
                scenario == Scenario.SYNC
                    ? runs.sync(peer, objects)
                    : runs.latency(peer, objects, window, window));
          }
        }
      }
    }
  }

  /** Runs the scenarios of the converging program. Each row gets new objects. */
  private void writes(List<Peer> order) throws IOException, InterruptedException {
    Set<Scenario> scenarios = options.scenarios();
    if (!scenarios.contains(Scenario.CONVERGE) && !scenarios.contains(Scenario.RESTART)) {
      return;
    }
    for (int objects : options.objects(Scenario.CONVERGE)) {
      try (BenchServer server = BenchServer.start()) {
        Runs runs = new Runs(server, logs);
        for (Peer peer : order) {
          add(Scenario.CONVERGE, objects, peer, runs.converge(peer, objects));
          if (scenarios.contains(Scenario.RESTART)) {
            add(Scenario.RESTART, objects, peer, runs.restart(peer, objects));
          }
        }
      }
    }
  }

  private void add(Scenario scenario, int objects, Peer peer, Map<String, Double> figures) {
    results.add(scenario, objects, peer.row(), figures);
    System.err.printf("%s %d %s: %s%n", scenario.title(), objects, peer.row(), figures);
  }
}
