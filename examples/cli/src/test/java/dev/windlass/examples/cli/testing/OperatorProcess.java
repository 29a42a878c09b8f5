// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.cli.testing;

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
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * An operator as a process of its own, as users start it, with what it prints: logs and output in
 * one list, in the order of their lines. May be used from any thread.
 */
public final class OperatorProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private OperatorProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "operator-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a program on the class path of the tests.
   *
   * @param program has the main method
   */
  public static OperatorProcess start(Class<?> program, String... arguments) throws IOException {
    return start(Map.of(), program, arguments);
  }

  /** The same with more variables in its environment. */
  public static OperatorProcess start(
      Map<String, String> environment, Class<?> program, String... arguments) throws IOException {
    return start(
        environment,
        List.of("-cp", System.getProperty("java.class.path"), program.getName()),
        arguments);
  }

  /** Starts a packaged program. */
  public static OperatorProcess startJar(Path jar, String... arguments) throws IOException {
    return start(Map.of(), List.of("-jar", jar.toString()), arguments);
  }

  private static OperatorProcess start(
      Map<String, String> environment, List<String> program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(program);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new OperatorProcess(builder.start());
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(lines::add);
    } catch (IOException | UncheckedIOException e) {
      lines.add("(the output ended: " + e + ")");
    }
  }

  /** What it has printed, line by line; grows while it runs. */
  public List<String> lines() {
    return lines;
  }

  /** Waits, for a minute at most, until it has printed a line with this part. */
  public void awaitLine(String part) {
    eventually()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(lines).anySatisfy(line -> assertThat(line).contains(part)));
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.toHandle().destroy(); // Process.destroy() would close the output as well
  }

  /**
   * Waits until it has ended, for 40 s at most, and until all its output is there.
   *
   * @return its exit code
   */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(40, TimeUnit.SECONDS)) {
      throw new AssertionError("it does not end; so far it said: " + lines);
    }
    reader.join(TimeUnit.SECONDS.toMillis(10));
    return process.exitValue();
  }

  /** Kills it, if it still runs. */
  @Override
  public void close() {
    process.destroyForcibly();
  }
}
