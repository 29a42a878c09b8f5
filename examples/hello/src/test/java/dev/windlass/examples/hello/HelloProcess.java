// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

/** The operator as a process of its own, as users start it, with what it prints. */
final class HelloProcess implements AutoCloseable {

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private HelloProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "hello-output");
    reader.setDaemon(true);
    reader.start();
  }

  static HelloProcess start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(HelloOperator.class.getName());
    command.addAll(List.of(arguments));
    return new HelloProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(the output ended: " + e + ")");
    }
  }

  /** What it has printed, line by line. */
  List<String> lines() {
    return lines;
  }

  void awaitLine(String part) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(lines).anySatisfy(line -> assertThat(line).contains(part)));
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy(); // Process.destroy() would close the output as well
  }

  int awaitExit() throws InterruptedException {
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end; so far it said: " + lines);
    }
    reader.join(TimeUnit.SECONDS.toMillis(10));
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
