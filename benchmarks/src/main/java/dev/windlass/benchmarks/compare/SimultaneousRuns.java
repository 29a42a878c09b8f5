// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs all peer programs at the same time, in the scenarios that take long and in which no figure
 * depends on the speed of a program. Each program has its own user, so that its requests can be
 * counted.
 */
final class SimultaneousRuns implements AutoCloseable {

  private static final double MB = 1e6;
  private static final int CHANGES_PER_SECOND = 50;
  private static final Duration IDLE_WARM_UP = Duration.ofSeconds(30);
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final Duration SOAK_WARM_UP = Duration.ofMinutes(5);
  private static final Duration SOAK = Duration.ofMinutes(30);
  private static final Duration SAMPLE = Duration.ofSeconds(1);
  private static final Duration QUICK = Duration.ofSeconds(5);

  /** A program, the user name with which it sends requests, and its process. */
  private record Running(Peer peer, String user, PeerProcess process) {}

  private final BenchServer server;
  private final Path logs;
  private final boolean quick;
  private final List<Running> programs = new ArrayList<>();

  /**
   * Creates a runner of programs on a server.
   *
   * @param server a server with an audit log
   * @param logs the directory for the standard error of each program
   * @param quick whether the scenarios are shortened, to check that they work
   */
  SimultaneousRuns(BenchServer server, Path logs, boolean quick) {
    this.server = server;
    this.logs = logs;
    this.quick = quick;
  }

  private Duration lasting(Duration normal) {
    return quick ? QUICK : normal;
  }

  /**
   * Starts the programs one after the other, and measures when all of them have reconciled all
   * objects.
   *
   * @return the figures of each program, keyed by the titles in {@link Scenario#columns()}
   */
  Map<Peer, Map<String, Double>> run(Scenario scenario, List<Peer> peers, int number)
      throws IOException, InterruptedException {
    boolean many = scenario == Scenario.IDLE && number > 1;
    for (Peer peer : peers) {
      String name = "peer-" + programs.size();
      Path kubeconfig = server.kubeconfig(name);
      Path errors = logs.resolve(scenario.title() + '-' + number + '-' + name + ".log");
      PeerProcess process =
          PeerProcess.start(peer, many ? "idle" : "noop", number, kubeconfig, errors);
      programs.add(new Running(peer, PeerAccess.user(name), process));
      process.awaitDone();
    }
    return switch (scenario) {
      case IDLE -> idle();
      case SOAK -> soak(number);
      default -> throw new IllegalArgumentException(scenario + " needs the machine for itself");
    };
  }

  /** Measures what watches cost while nothing changes. */
  private Map<Peer, Map<String, Double>> idle() throws InterruptedException {
    Thread.sleep(lasting(IDLE_WARM_UP).toMillis());
    Map<String, Long> before = server.requestsByUser();
    Map<Peer, Double> cpu = new HashMap<>();
    programs.forEach(program -> cpu.put(program.peer(), program.process().cpuSeconds()));
    Thread.sleep(lasting(IDLE).toMillis());
    Map<String, Long> after = server.requestsByUser();
    Map<Peer, Map<String, Double>> figures = new LinkedHashMap<>();
    for (Running program : programs) {
      double requests =
          after.getOrDefault(program.user(), 0L) - before.getOrDefault(program.user(), 0L);
      double used = program.process().cpuSeconds() - cpu.get(program.peer());
      figures.put(program.peer(), Map.of("requests", requests, "CPU s", used));
    }
    return figures;
  }

  /** Measures how the memory of the programs grows under a constant load. */
  private Map<Peer, Map<String, Double>> soak(int objects)
      throws IOException, InterruptedException {
    Process writer = LatencyWriter.start(server.kubeconfig(), objects, CHANGES_PER_SECOND);
    try {
      Thread.sleep(lasting(SOAK_WARM_UP).toMillis());
      Map<Peer, List<Double>> samples = new LinkedHashMap<>();
      long end = System.nanoTime() + lasting(SOAK).toNanos();
      while (System.nanoTime() - end < 0) {
        for (Running program : programs) {
          samples
              .computeIfAbsent(program.peer(), peer -> new ArrayList<>())
              .add(program.process().memory("VmRSS"));
        }
        Thread.sleep(SAMPLE.toMillis());
      }
      LatencyWriter.requireAlive(writer);
      Map<Peer, Map<String, Double>> figures = new LinkedHashMap<>();
      samples.forEach((peer, sizes) -> figures.put(peer, growth(sizes)));
      // The collections before this figure release memory, so they must not precede the RSS.
      for (Running program : programs) {
        JsonNode bytes = program.process().ask("stats").path("heapBytes");
        if (bytes.isNumber()) {
          figures.get(program.peer()).put("heap MB", bytes.asDouble() / MB);
        }
      }
      return figures;
    } finally {
      writer.destroyForcibly().waitFor();
    }
  }

  private static Map<String, Double> growth(List<Double> sizes) {
    double perMinute = slope(sizes) * Duration.ofMinutes(1).dividedBy(SAMPLE);
    Map<String, Double> figures = new HashMap<>();
    figures.put("RSS growth KB/min", perMinute / 1e3);
    figures.put("RSS MB", sizes.get(sizes.size() - 1) / MB);
    return figures;
  }

  /**
   * Returns the slope of the line that fits the samples best, as the change from one sample to the
   * next.
   */
  static double slope(List<Double> samples) {
    double middle = (samples.size() - 1) / 2.0;
    double mean = samples.stream().mapToDouble(sample -> sample).average().orElse(0);
    double covariance = 0;
    double variance = 0;
    for (int i = 0; i < samples.size(); i++) {
      covariance += (i - middle) * (samples.get(i) - mean);
      variance += (i - middle) * (i - middle);
    }
    return variance == 0 ? 0 : covariance / variance;
  }

  /** Ends all programs. */
  @Override
  public void close() {
    for (Running program : programs) {
      program.process().close();
    }
  }
}
