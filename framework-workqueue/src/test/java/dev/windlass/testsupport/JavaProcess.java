// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testsupport;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
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
 * A Java program in a process of its own, with what it prints: logs and output in one list, in the
 * order of their lines. May be used from any thread.
 */
public final class JavaProcess implements AutoCloseable {

  /**
   * These programs end before optimised code pays off, and the compiler has just written their
   * classes, which need no verification. Their own options come later, and win.
   */
  private static final List<String> SHORT_LIVED =
      List.of(
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseSerialGC",
          "-XX:+UnlockDiagnosticVMOptions",
          "-XX:-BytecodeVerificationRemote");

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private JavaProcess(Process process) {
    this.process = process;
    this.reader = new Thread(this::read, "process-output");
    reader.setDaemon(true);
    reader.start();
  }

  /**
   * Starts a program on the class path of the tests.
   *
   * @param program has the main method
   */
  public static JavaProcess start(Class<?> program, String... arguments) throws IOException {
    return start(Map.of(), program, arguments);
  }

  /** The same with more variables in its environment. */
  public static JavaProcess start(
      Map<String, String> environment, Class<?> program, String... arguments) throws IOException {
    return start(environment, List.of(), List.of(), program, arguments);
  }

  /**
   * The same with options for the JVM.
   *
   * @param prefix runs the command, such as {@code env}; may be empty
   */
  public static JavaProcess start(
      Map<String, String> environment,
      List<String> prefix,
      List<String> options,
      Class<?> program,
      String... arguments)
      throws IOException {
    List<String> more = new ArrayList<>(options);
    more.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
    return start(environment, prefix, more, arguments);
  }

  /** Starts a packaged program. */
  public static JavaProcess startJar(Path jar, String... arguments) throws IOException {
    return startJar(Map.of(), jar, arguments);
  }

  /** The same with more variables in its environment. */
  public static JavaProcess startJar(Map<String, String> environment, Path jar, String... arguments)
      throws IOException {
    return start(environment, List.of(), List.of("-jar", jar.toString()), arguments);
  }

  private static JavaProcess start(
      Map<String, String> environment,
      List<String> prefix,
      List<String> program,
      String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(SHORT_LIVED);
    command.addAll(program);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return new JavaProcess(builder.start());
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

  /** The number of the process. */
  public long pid() {
    return process.pid();
  }

  /** What it reads. */
  public OutputStream input() {
    return process.getOutputStream();
  }

  /** Sends SIGTERM. */
  public void terminate() {
    process.toHandle().destroy(); // Process.destroy() would close the output as well
  }

  /** Sends a signal by its name, such as {@code KILL}. */
  public void signal(String name) {
    try {
      String pid = Long.toString(process.pid());
      assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError("no signal " + name, e);
    }
  }

  /**
   * Waits until it has ended, for two minutes at most, and until all its output is there.
   *
   * @return its exit code
   */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(2, TimeUnit.MINUTES)) {
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
