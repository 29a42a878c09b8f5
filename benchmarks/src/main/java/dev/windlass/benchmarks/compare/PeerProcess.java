// SPDX-License-Identifier: Apache-2.0
package dev.windlass.benchmarks.compare;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A running peer program. If the program fails, or does not answer within ten minutes, the methods
 * throw an exception that contains the end of its standard error. This class is not thread-safe.
 */
final class PeerProcess implements AutoCloseable {

  private static final int WORKERS = 8;
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int TAIL = 30;
  private static final String END = "";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * The resources that a program used until it had reconciled all objects.
   *
   * @param wallSeconds the time since the process was started
   * @param cpuSeconds the CPU time of the whole process
   */
  record Done(double wallSeconds, double cpuSeconds) {}

  private final String row;
  private final Process process;
  private final long startedMicros;
  private final Path errors;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private PeerProcess(String row, Process process, long startedMicros, Path errors) {
    this.row = row;
    this.process = process;
    this.startedMicros = startedMicros;
    this.errors = errors;
  }

  /**
   * Starts a program.
   *
   * @param mode {@code noop}, {@code converge}, {@code scale} or {@code idle}
   * @param errors the file for the program's standard error
   */
  static PeerProcess start(Peer peer, String mode, int objects, Path kubeconfig, Path errors)
      throws IOException {
    Files.createDirectories(errors.getParent());
    List<String> command = new ArrayList<>(peer.command());
    command.addAll(List.of(mode, Integer.toString(objects), Integer.toString(WORKERS)));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("KUBECONFIG", kubeconfig.toString());
    long now = micros();
    PeerProcess started = new PeerProcess(peer.row(), builder.start(), now, errors);
    Thread reader = new Thread(started::read, "output of " + peer.row());
    reader.setDaemon(true);
    reader.start();
    return started;
  }

  /** Returns the current time in microseconds since 1970, as programs state it. */
  static long micros() {
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().filter(line -> line.startsWith("{")).forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      // The program has been killed.
    }
    lines.add(END);
  }

  /** Waits until the program has reconciled all objects. */
  Done awaitDone() throws IOException, InterruptedException {
    while (true) {
      JsonNode line = next();
      if (line.path("event").asText().equals("done")) {
        double wall = (line.path("micros").asLong() - startedMicros) / 1e6;
        return new Done(wall, cpuSeconds());
      }
    }
  }

  /** Sends a command and returns the answer. Skips earlier events of the program. */
  JsonNode ask(String command) throws IOException, InterruptedException {
    process.outputWriter(StandardCharsets.UTF_8).append(command).append('\n').flush();
    JsonNode line = next();
    while (line.has("micros")) {
      line = next();
    }
    return line;
  }

  /** Asks the program to end, and waits until it has ended. */
  void stop() throws IOException, InterruptedException {
    process.outputWriter(StandardCharsets.UTF_8).append("stop\n").flush();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IOException(row + " has not ended 10 min after the command to stop");
    }
  }

  private JsonNode next() throws IOException, InterruptedException {
    String line = lines.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    if (line == null) {
      throw new IOException(row + " did not finish within 10 min; its log ends with\n" + tail());
    }
    if (line.equals(END)) {
      throw new IOException(row + " has ended; its log ends with\n" + tail());
    }
    return MAPPER.readTree(line);
  }

  private String tail() throws IOException {
    List<String> all = Files.readAllLines(errors);
    return String.join("\n", all.subList(Math.max(0, all.size() - TAIL), all.size()));
  }

  /** Returns the CPU time that all threads of the program have used, with a resolution of 10 ms. */
  double cpuSeconds() {
    return process
            .info()
            .totalCpuDuration()
            .orElseThrow(() -> new IllegalStateException("the platform reports no CPU time"))
            .toMillis()
        / 1e3;
  }

  /** Returns a size from {@code /proc/<pid>/status}, such as VmRSS or VmHWM, in bytes. */
  double memory(String field) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"))) {
      if (line.startsWith(field + ":")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024.0;
      }
    }
    throw new IOException("no " + field + " of " + row);
  }

  /** Ends the program, and returns when its process has ended and a profiler has written. */
  @Override
  public void close() {
    try {
      try {
        process.outputWriter(StandardCharsets.UTF_8).append("stop\n").flush();
        process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      } catch (IOException e) {
        // The program has already ended.
      }
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
