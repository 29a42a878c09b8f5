// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs single peer programs. Each method returns the figures of its run, keyed by the titles in
 * {@link Scenario#columns()}. A figure that a program does not report is absent.
 */
final class Runs {

  private static final double MB = 1e6;
  private static final int SLOW = 200;
  private static final int FAST = 1_000;
  private static final Duration WARM_UP = Duration.ofSeconds(30);
  private static final Duration WINDOW = Duration.ofSeconds(30);
  private static final Duration STORM = Duration.ofMinutes(1);
  private static final Duration QUIET = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** The number of shards in the program of Windlass. */
  private static final long SHARDS = 12;

  private final BenchServer server;
  private final Path logs;
  private final Optional<Profile> profile;
  private final boolean quick;

  /**
   * Creates a runner of programs on a server.
   *
   * @param logs the directory for the standard error of each program, and for its profile
   * @param profile the profile of the Java programs, if they are to be profiled
   * @param quick whether scenarios that last a fixed time are shortened, to check that they work
   */
  Runs(BenchServer server, Path logs, Optional<Profile> profile, boolean quick) {
    this.server = server;
    this.logs = logs;
    this.profile = profile;
    this.quick = quick;
  }

  private Duration lasting(Duration normal) {
    return quick ? Duration.ofSeconds(5) : normal;
  }

  /**
   * Runs a program once in a scenario. For RESTART, this method only runs {@link #converge}; the
   * caller must call {@link #restart} afterwards.
   */
  Map<String, Double> run(Scenario scenario, Peer peer, int objects)
      throws IOException, InterruptedException {
    return switch (scenario) {
      case SYNC -> sync(peer, objects);
      case CONVERGE, RESTART -> converge(peer, objects);
      case LATENCY -> latency(scenario, peer, objects, SLOW);
      case LOAD -> latency(scenario, peer, objects, FAST);
      case STORM -> storm(peer, objects);
      case SCALE -> scale(peer, objects);
      case IDLE, SOAK ->
          throw new IllegalArgumentException(scenario + " is for all programs at the same time");
    };
  }

  /**
   * Runs a program until it has reconciled all objects, and waits until its JVM has written a CDS
   * archive or an AOT cache and has ended.
   */
  void train(Peer peer, int objects) throws IOException, InterruptedException {
    server.seed(objects);
    try (PeerProcess process = start(Scenario.CONVERGE, peer, objects)) {
      process.awaitDone();
      process.stop();
    }
  }

  /** Runs a program that reconciles existing objects without any write. */
  private Map<String, Double> sync(Peer peer, int objects)
      throws IOException, InterruptedException {
    try (PeerProcess process = start(Scenario.SYNC, peer, objects)) {
      PeerProcess.Done done = process.awaitDone();
      Map<String, Double> figures = figures(done);
      figures.put("RSS MB", process.memory("VmRSS") / MB);
      figures.put("peak RSS MB", process.memory("VmHWM") / MB);
      put(figures, "heap MB", process.ask("stats").path("heapBytes"), MB);
      return figures;
    }
  }

  /**
   * Creates objects that have no ConfigMap and no status, and runs a program that creates a
   * ConfigMap and a status for each object.
   */
  private Map<String, Double> converge(Peer peer, int objects)
      throws IOException, InterruptedException {
    server.seed(objects);
    ServerRequests before = server.requests();
    Map<String, Double> figures;
    try (PeerProcess process = start(Scenario.CONVERGE, peer, objects)) {
      figures = figures(process.awaitDone());
      Thread.sleep(QUIET.toMillis());
      put(figures, "reconciles", process.ask("stats").path("reconciles"), 1);
    }
    Thread.sleep(QUIET.toMillis()); // the server counts a watch when the watch ends
    ServerRequests requests = server.requests().since(before);
    figures.put("writes", requests.writes());
    figures.put("requests", requests.all());
    return figures;
  }

  /** Runs a program again over the objects that {@link #converge} has left. */
  Map<String, Double> restart(Peer peer, int objects) throws IOException, InterruptedException {
    try (PeerProcess process = start(Scenario.RESTART, peer, objects)) {
      Map<String, Double> figures = figures(process.awaitDone());
      put(figures, "classes", process.ask("stats").path("classes"), 1);
      return figures;
    }
  }

  /** Measures the time from a write until the reconciler sees it, under a constant load. */
  private Map<String, Double> latency(Scenario scenario, Peer peer, int objects, int perSecond)
      throws IOException, InterruptedException {
    try (PeerProcess process = start(scenario, peer, objects)) {
      process.awaitDone();
      Process writer = LatencyWriter.start(server.kubeconfig(), objects, perSecond);
      try {
        Thread.sleep(lasting(WARM_UP).toMillis());
        process.ask("reset");
        double before = process.cpuSeconds();
        Thread.sleep(lasting(WINDOW).toMillis());
        double cpu = process.cpuSeconds() - before;
        LatencyWriter.requireAlive(writer);
        JsonNode latencies = process.ask("stats").path("latencies");
        Map<String, Double> figures = new HashMap<>();
        put(figures, "p50 ms", latencies.path("p50"), 1e3);
        put(figures, "p99 ms", latencies.path("p99"), 1e3);
        figures.put("CPU s", cpu);
        put(figures, "changes seen", latencies.path("count"), 1);
        return figures;
      } finally {
        writer.destroyForcibly().waitFor();
      }
    }
  }

  /**
   * Kills the API server while a program runs, starts the server again, and writes one change.
   * Measures the time until the reconciler sees the change, and the requests that the restarted
   * server counts.
   */
  private Map<String, Double> storm(Peer peer, int objects)
      throws IOException, InterruptedException {
    Map<String, Double> figures = new HashMap<>();
    try (PeerProcess process = start(Scenario.STORM, peer, objects)) {
      process.awaitDone();
      Thread.sleep(QUIET.toMillis());
      process.ask("reset");
      double before = process.cpuSeconds();
      server.restart();
      server.touch(0);
      Thread.sleep(lasting(STORM).toMillis());
      figures.put("CPU s", process.cpuSeconds() - before);
      put(figures, "fresh s", process.ask("stats").path("latencies").path("p50"), 1e6);
    }
    Thread.sleep(QUIET.toMillis()); // the server counts a watch when the watch ends
    figures.put("requests", server.requests().all() - 1); // without the change
    return figures;
  }

  /**
   * Makes a program reconcile all objects once more when its replicas have divided them, and
   * measures the time until the last of them has been reconciled.
   */
  private Map<String, Double> scale(Peer peer, int objects)
      throws IOException, InterruptedException {
    server.seed(objects);
    List<PeerProcess> replicas = new ArrayList<>();
    try {
      for (int i = 1; i <= peer.replicas(); i++) {
        replicas.add(start(Scenario.SCALE, peer, objects, ", " + i));
      }
      if (peer.replicas() == 1) {
        replicas.get(0).awaitDone();
      } else {
        awaitBalance(peer.replicas());
      }
      Thread.sleep(QUIET.toMillis());
      double wall = reconcileAll(replicas, objects);
      return Map.of("wall s", wall, "objects/s", objects / wall);
    } finally {
      replicas.forEach(PeerProcess::close);
    }
  }

  /** Waits until each replica owns the same number of shards. */
  private void awaitBalance(int replicas) throws IOException, InterruptedException {
    List<Long> balanced = Collections.nCopies(replicas, SHARDS / replicas);
    long end = System.nanoTime() + LIMIT.toNanos();
    for (List<Long> now = server.shares(); !now.equals(balanced); now = server.shares()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("the replicas own " + now + " shards instead of " + balanced);
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  /** Returns the seconds in which the replicas together reconcile all objects once. */
  private static double reconcileAll(List<PeerProcess> replicas, int objects)
      throws IOException, InterruptedException {
    long start = PeerProcess.micros();
    for (PeerProcess replica : replicas) {
      replica.ask("all");
    }
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      long reconciles = 0;
      long latest = 0;
      for (PeerProcess replica : replicas) {
        JsonNode answer = replica.ask("count");
        reconciles += answer.path("reconciles").asLong();
        latest = Math.max(latest, answer.path("latest").asLong());
      }
      if (reconciles == objects) {
        return (latest - start) / 1e6;
      } else if (reconciles > objects || System.nanoTime() - end > 0) {
        throw new IOException(reconciles + " reconciles of " + objects + " objects");
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private PeerProcess start(Scenario scenario, Peer peer, int objects) throws IOException {
    return start(scenario, peer, objects, "");
  }

  private PeerProcess start(Scenario scenario, Peer peer, int objects, String suffix)
      throws IOException {
    String run = scenario.title() + ' ' + objects + ' ' + peer.row() + suffix;
    Path errors = logs.resolve(run.replaceAll("\\W+", "-") + ".log");
    Peer started = peer;
    if (profile.isPresent() && peer.isJava()) {
      Path samples = Path.of(errors + ".collapsed");
      started = peer.with(profile.get().flag(run, samples));
    }
    boolean writes = scenario == Scenario.CONVERGE || scenario == Scenario.RESTART;
    String mode = writes ? "converge" : scenario == Scenario.SCALE ? "scale" : "noop";
    return PeerProcess.start(started, mode, objects, server.kubeconfig(), errors);
  }

  private static Map<String, Double> figures(PeerProcess.Done done) {
    Map<String, Double> figures = new HashMap<>();
    figures.put("wall s", done.wallSeconds());
    figures.put("CPU s", done.cpuSeconds());
    return figures;
  }

  private static void put(Map<String, Double> figures, String column, JsonNode value, double unit) {
    if (value.isNumber()) {
      figures.put(column, value.asDouble() / unit);
    }
  }
}
