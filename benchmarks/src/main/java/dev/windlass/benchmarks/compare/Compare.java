// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The main program of the comparison, which {@code benchmarks/compare/run} starts. Within a round,
 * the programs take turns, and each round starts with a different program.
 */
public final class Compare {

  private static final int TRAINED_OBJECTS = 100;

  /** The load average from which the figures become unreliable. */
  private static final double BUSY = 0.7;

  private static final String HEADING =
      """
      # Results of the comparison

      This page contains the medians that `benchmarks/compare/run` has measured. [The page of the
      comparison](../../benchmarks/compare/README.md) describes the programs and the scenarios, and
      [the page about performance](../performance.md) explains the results. The ratio after each figure
      compares it with the lowest figure of the Java frameworks other than Windlass with the same JVM
      flags, or with the default flags if no such framework was measured with these flags; in `scale`,
      with that of one replica of Windlass. The line below each table states the commit of Windlass that
      was measured. Figures of different commits or days should not be compared with each other.

      """;

  private final Options options;
  private final List<Peer> peers;
  private final Results results;
  private final Path logs;

  private Compare(Options options, List<Peer> peers, Results results, Path logs) {
    this.options = options;
    this.peers = peers;
    this.results = results;
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
    Optional<Profile> profile = options.profile();
    // The runs of a profile are slower, so they must not replace those of a measurement.
    String runs = profile.isPresent() ? "profiled.jsonl" : "runs.jsonl";
    Results results =
        Results.in(
            target.resolve(runs),
            options.resume(),
            System.getProperty("compare.commit", "unknown"),
            LocalDate.now());
    Compare compare = new Compare(options, peers, results, target.resolve("logs"));
    compare.run();
    if (profile.isPresent()) {
      System.out.println(profile.get().markdown());
      System.exit(0);
    }
    Report report = new Report(options, peers, results);
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
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    if (options.rounds() > 0 && load > BUSY) {
      System.err.printf(
          "The machine is busy (load %.1f): the figures, and the ratios of a single round, can be"
              + " wrong by a factor of two.%n",
          load);
    }
    train();
    for (int round = 0; round < options.rounds(); round++) {
      List<Peer> order = new ArrayList<>(peers);
      order.removeIf(peer -> peer.command().isEmpty() || options.skips(peer.row()));
      if (!order.isEmpty()) {
        Collections.rotate(order, -round % order.size());
      }
      for (Scenario scenario : Scenario.values()) {
        if (options.scenarios().contains(scenario) && round < options.rounds(scenario)) {
          for (int objects : options.objects(scenario)) {
            run(round, scenario, objects, order);
          }
        }
      }
    }
  }

  /**
   * Runs each program that uses a CDS archive or an AOT cache once, so that the program's JVM
   * creates the archive or the cache. Rows that the options leave out are not trained.
   */
  private void train() throws IOException, InterruptedException {
    if (options.rounds() == 0) {
      return;
    }
    List<Peer> training =
        peers.stream()
            .filter(peer -> !options.skips(peer.row()))
            .flatMap(peer -> peer.training().stream())
            .toList();
    if (training.isEmpty()) {
      return;
    }
    try (BenchServer server = BenchServer.start(false)) {
      for (Peer peer : training) {
        new Runs(server, logs, Optional.empty(), options.quick()).train(peer, TRAINED_OBJECTS);
      }
    }
  }

  /** Runs a scenario once with each program that has no result for it yet. */
  private void run(int round, Scenario scenario, int objects, List<Peer> order)
      throws IOException, InterruptedException {
    List<Peer> missing =
        order.stream()
            .filter(peer -> !results.contains(round, scenario, objects, peer.row()))
            .filter(peer -> peer.runs(scenario, objects))
            .toList();
    if (missing.isEmpty() || scenario == Scenario.RESTART && withConverge(objects)) {
      return;
    }
    if (scenario.isSimultaneous()) {
      runTogether(round, scenario, objects, missing);
      return;
    }
    try (BenchServer server = BenchServer.start(false)) {
      Runs runs = new Runs(server, logs, options.profile(), options.quick());
      if (!Set.of(Scenario.CONVERGE, Scenario.RESTART, Scenario.SCALE).contains(scenario)) {
        server.seed(objects);
      }
      for (Peer peer : missing) {
        Map<String, Double> figures = runs.run(scenario, peer, objects);
        if (scenario != Scenario.RESTART) {
          add(round, scenario, objects, peer, figures);
        }
        if (scenario == Scenario.CONVERGE && options.scenarios().contains(Scenario.RESTART)
            || scenario == Scenario.RESTART) {
          add(round, Scenario.RESTART, objects, peer, runs.restart(peer, objects));
        }
      }
    }
  }

  private void runTogether(int round, Scenario scenario, int number, List<Peer> missing)
      throws IOException, InterruptedException {
    try (BenchServer server = BenchServer.start(scenario == Scenario.IDLE);
        SimultaneousRuns runs = new SimultaneousRuns(server, logs, options.quick())) {
      if (scenario == Scenario.IDLE && number > 1) {
        server.createTypes(number);
      } else {
        server.seed(number);
      }
      Map<Peer, Map<String, Double>> figures = runs.run(scenario, missing, number);
      for (Map.Entry<Peer, Map<String, Double>> run : figures.entrySet()) {
        add(round, scenario, number, run.getKey(), run.getValue());
      }
    }
  }

  /**
   * Returns whether the runs of {@link Scenario#CONVERGE} with this number of objects also measure
   * the restart.
   */
  private boolean withConverge(int objects) {
    return options.scenarios().contains(Scenario.CONVERGE)
        && options.objects(Scenario.CONVERGE).contains(objects);
  }

  private void add(
      int round, Scenario scenario, int objects, Peer peer, Map<String, Double> figures)
      throws IOException {
    results.add(round, scenario, objects, peer.row(), figures);
    System.err.printf("%s %d %s: %s%n", scenario.title(), objects, peer.row(), figures);
  }
}
