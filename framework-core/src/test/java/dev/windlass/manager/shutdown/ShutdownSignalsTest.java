// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Raises SIGTERM in this JVM while it is handled, and sends other signals to a child. */
@Timeout(30)
final class ShutdownSignalsTest {

  private final ManualScheduler time = new ManualScheduler();
  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  private ShutdownSignals handle(String name) {
    return ShutdownSignals.handle(
        why -> calls.add(name + " stops: " + why), time, code -> calls.add("exit " + code));
  }

  private static void raise(String signal) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Object instance = type.getConstructor(String.class).newInstance(signal);
    type.getMethod("raise", type).invoke(null, instance);
  }

  private String next() throws InterruptedException {
    return String.valueOf(calls.poll(20, TimeUnit.SECONDS));
  }

  @Test
  void stopsAtTheFirstSignalAndExitsAtTheSecond() throws Exception {
    assertThat(ShutdownSignals.HANDLED).containsExactly("TERM", "INT", "HUP");
    try (Logs logs = Logs.of(Manager.class);
        ShutdownSignals signals = handle("it")) {
      assertThat(signals).hasToString("signals [TERM, INT, HUP]");
      raise("TERM");
      assertThat(next()).isEqualTo("it stops: SIGTERM received");
      time.advance(ShutdownSignals.SAME);
      ShutdownSignals.received("INT");
      assertThat(next()).isEqualTo("exit 1");
      assertThat(calls).isEmpty();
      assertThat(logs.lines())
          .containsExactly(
              "INFO SIGTERM received: stopping; a second signal ends the process at once",
              "WARN second signal (SIGINT): exiting at once");
    }
  }

  @Test
  void beginsAnewWithEachUse() throws Exception {
    for (String name : new String[] {"one", "two"}) {
      try (ShutdownSignals signals = handle(name)) {
        assertThat(signals).isNotNull();
        ShutdownSignals.received("INT");
        assertThat(next()).isEqualTo(name + " stops: SIGINT received");
      }
    }
  }

  /** Supervisors signal a process, and then its group: that must not skip the lease. */
  @Test
  void takesSignalsWithinASecondForTheSame() throws Exception {
    try (Logs logs = Logs.of(Manager.class);
        ShutdownSignals signals = handle("it")) {
      assertThat(signals).isNotNull();
      raise("TERM");
      assertThat(next()).isEqualTo("it stops: SIGTERM received");
      time.advance(ShutdownSignals.SAME.minusNanos(1));
      raise("TERM");
      Eventually.that(() -> assertThat(logs.lines()).hasSize(2));
      assertThat(logs.lines().get(1))
          .isEqualTo(
              "INFO SIGTERM received within 1 s of the first signal; ignored as a duplicate");
      assertThat(calls).isEmpty();
      time.advance(Duration.ofNanos(1));
      raise("TERM");
      assertThat(next()).isEqualTo("exit 1");
    }
  }

  /** A terminal that is closed, or a supervisor that says so. */
  @Test
  void stopsWhenItsTerminalIsGone() throws Exception {
    try (ShutdownSignals signals = handle("it")) {
      assertThat(signals).isNotNull();
      ShutdownSignals.received("HUP");
      assertThat(next()).isEqualTo("it stops: SIGHUP received");
    }
  }

  /** A JVM in the background may be told to ignore these two; this child is not. */
  @ParameterizedTest
  @ValueSource(strings = {"INT", "HUP"})
  void handlesRealSignals(String name) throws Exception {
    Process child =
        new ProcessBuilder(
                "env",
                "--default-signal=" + name,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SignalledProgram.class.getName())
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
      awaitLine(output, SignalledProgram.READY);
      String pid = Long.toString(child.pid());
      assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
      awaitLine(output, "SIG" + name + " received");
      assertThat(child.waitFor()).isZero();
    } finally {
      child.destroyForcibly();
    }
  }

  private static void awaitLine(BufferedReader output, String wanted) throws IOException {
    List<String> lines = new ArrayList<>();
    do {
      String line = output.readLine();
      assertThat(line).as("the end of %s", lines).isNotNull();
      lines.add(line);
    } while (!lines.contains(wanted));
  }

  /** Two managers may run in one process, and end in any order: a signal is meant for all. */
  @Test
  void stopsAllWhoHandleSignals() throws Exception {
    ShutdownSignals one = handle("one");
    try (ShutdownSignals two = handle("two")) {
      assertThat(two).isNotNull();
      raise("TERM");
      assertThat(next()).isEqualTo("one stops: SIGTERM received");
      assertThat(next()).isEqualTo("two stops: SIGTERM received");
      one.close();
      time.advance(ShutdownSignals.SAME);
      raise("TERM");
      assertThat(next()).isEqualTo("exit 1");
    } finally {
      one.close();
    }
    assertThat(calls).isEmpty();
  }

  /** One that came while the last manager ended is for whoever handles signals then. */
  @Test
  void handsOnASignalThatComesAfterTheEnd() throws Exception {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = type.getConstructor(String.class).newInstance("USR2");
    Object handler =
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> {
              calls.add("handed on " + method.getName());
              return null;
            });
    Method handle = type.getMethod("handle", type, handlerType);
    Object before = handle.invoke(null, signal, handler);
    try {
      handle("it").close();
      ShutdownSignals.received("USR2");
      assertThat(next()).isEqualTo("handed on handle");
      assertThat(calls).isEmpty();
    } finally {
      handle.invoke(null, signal, before);
    }
  }

  @Test
  void handlesSignalsForThoseWhoRemain() throws Exception {
    ShutdownSignals one = handle("one");
    try (ShutdownSignals two = handle("two")) {
      assertThat(two).isNotNull();
      one.close();
      raise("TERM");
      assertThat(next()).isEqualTo("two stops: SIGTERM received");
    } finally {
      one.close();
    }
    assertThat(calls).isEmpty();
  }
}
