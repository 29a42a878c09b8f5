// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.manager;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** {@link LeaderProgram} in a JVM of its own, which can be frozen. */
final class LeaderProcess implements AutoCloseable {

  final String user;
  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  LeaderProcess(String user, Path kubeconfig, String mode, String... options) throws IOException {
    this.user = user;
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"));
    command.add("-Xmx128m");
    command.addAll(List.of(options)); // the last one counts
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(LeaderProgram.class.getName());
    command.addAll(List.of(kubeconfig.toString(), user, mode));
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    Thread reader = new Thread(this::read, "output-of-" + user);
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(the output ended: " + e + ")");
    }
  }

  boolean hasSaid(String part) {
    return lines.stream().anyMatch(line -> line.startsWith("@@ " + part));
  }

  void awaitSaid(String part) {
    eventually()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(lines).anyMatch(line -> line.startsWith("@@ " + part)));
  }

  /** What it said behind a word. */
  String said(String part) {
    awaitSaid(part);
    return lines.stream()
        .filter(line -> line.startsWith("@@ " + part))
        .map(line -> line.substring(3 + part.length()).trim())
        .findFirst()
        .orElseThrow();
  }

  /** Makes it hold more and more, from now on. */
  void leak() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  void signal(String name) {
    try {
      int code =
          new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
      assertThat(code).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no signal " + name, e);
    }
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end; so far it said: " + lines);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
