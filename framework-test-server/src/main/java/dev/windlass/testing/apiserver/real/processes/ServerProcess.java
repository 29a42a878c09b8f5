// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A child process of this JVM. Signals are sent to its process id, and never to all processes with
 * its name.
 *
 * <p>The environment of the process contains only the variables PATH, HOME, TMPDIR and GOGC. If the
 * process inherited all variables of the JVM, etcd would read settings from {@code ETCD_*}, and
 * Go's HTTP clients would use the proxy in {@code HTTPS_PROXY}.
 */
final class ServerProcess {

  private static final Set<String> ENVIRONMENT = Set.of("PATH", "HOME", "TMPDIR");

  /**
   * The value of {@code GOGC}. The default is 100. With 400, Go collects garbage less often: the
   * start of an API server takes a fifth less CPU time, but 100 MB more memory.
   */
  private static final String GARBAGE = "400";

  private static final int TAIL_LINES = 40;
  private static final Duration SIGNAL_GRACE = Duration.ofSeconds(5);

  private final String name;
  private final List<String> command;
  private final Path log;
  private final Process process;

  private ServerProcess(String name, List<String> command, Path log, Process process) {
    this.name = name;
    this.command = command;
    this.log = log;
    this.process = process;
  }

  /** Starts a command whose standard output and standard error are appended to a log file. */
  static ServerProcess start(String name, List<String> command, Path log) {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().retainAll(ENVIRONMENT);
    builder.environment().put("GOGC", GARBAGE);
    try {
      return new ServerProcess(name, List.copyOf(command), log, builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start " + name + ": " + command, e);
    }
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /**
   * Pauses the process with SIGSTOP, which a process cannot ignore. SIGKILL also ends a paused
   * process.
   */
  void pause() {
    signal("STOP");
  }

  /** Resumes the process with SIGCONT. */
  void resume() {
    signal("CONT");
  }

  /** Sends a signal with the program {@code kill}. Java can send only SIGTERM and SIGKILL. */
  private void signal(String signal) {
    List<String> kill = List.of("kill", "-" + signal, Long.toString(process.pid()));
    try {
      Process sent = new ProcessBuilder(kill).redirectErrorStream(true).start();
      sent.getOutputStream().close();
      awaitExit(sent, SIGNAL_GRACE);
      if (sent.exitValue() != 0) {
        throw new IllegalStateException(
            kill + " failed: " + new String(sent.getInputStream().readAllBytes(), UTF_8));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot run " + kill, e);
    }
  }

  /** Sends SIGKILL and waits until the process has exited. */
  void kill() {
    process.destroyForcibly();
    awaitExit(process, Duration.ZERO);
  }

  /**
   * Waits until a process exits. If it does not exit within the grace period, or if this thread is
   * interrupted, sends SIGKILL and then waits until the process has exited. After an interrupt,
   * this method restores the interrupt status before it returns.
   */
  static void awaitExit(Process process, Duration grace) {
    boolean interrupted = false;
    for (Duration left = grace; ; left = Duration.ZERO) {
      try {
        if (!process.waitFor(left.toMillis(), TimeUnit.MILLISECONDS)) {
          process.destroyForcibly().waitFor();
        }
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns a description of the process for exception messages. It contains the state, the command
   * line and the end of the log.
   */
  String describe() {
    String state = process.isAlive() ? "is running" : "ended with exit code " + process.exitValue();
    return "%s %s%ncommand: %s%nend of its log:%n%s"
        .formatted(name, state, String.join(" ", command), tail());
  }

  private String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join(
          System.lineSeparator(),
          lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(unreadable: " + e + ")";
    }
  }
}
