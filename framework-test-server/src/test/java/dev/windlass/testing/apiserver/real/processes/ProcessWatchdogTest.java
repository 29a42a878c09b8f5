// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static dev.windlass.testsupport.Patience.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessWatchdogTest {

  @TempDir Path directory;

  @Test
  void endsTheProcessesOfAJvmThatDiedWithoutItsShutdownHooks() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                data.toString())
            .start();
    long guarded = Long.parseLong(new String(jvm.getInputStream().readAllBytes(), UTF_8).strip());

    eventually()
        .atMost(10, SECONDS)
        .until(() -> !ProcessHandle.of(guarded).map(ProcessHandle::isAlive).orElse(false));
    eventually().atMost(10, SECONDS).until(() -> Files.notExists(data));
  }

  @Test
  void endsNothingWhenDismissed() throws Exception {
    Process guarded = new ProcessBuilder("sleep", "60").start();
    try {
      ProcessWatchdog watchdog = ProcessWatchdog.start(directory);
      watchdog.guard(List.of(guarded.toHandle()));
      watchdog.dismiss();

      assertThat(watchdog.handle().isAlive()).isFalse();
      assertThat(guarded.isAlive()).isTrue();
      assertThat(directory).exists();
    } finally {
      guarded.destroyForcibly();
    }
  }

  /** Starts a process, prints its id and dies as if killed. */
  static final class Victim {

    private Victim() {}

    public static void main(String[] arguments) throws Exception {
      Process guarded = new ProcessBuilder("sleep", "60").start();
      ProcessWatchdog.start(Path.of(arguments[0])).guard(List.of(guarded.toHandle()));
      System.out.println(guarded.pid());
      Runtime.getRuntime().halt(137);
    }
  }
}
