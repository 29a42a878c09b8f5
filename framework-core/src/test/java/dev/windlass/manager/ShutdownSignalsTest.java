// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.windlass.behaviour.Eventually;
import dev.windlass.behaviour.Proves;
import dev.windlass.testing.core.Logs;
import dev.windlass.testing.time.ManualScheduler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raises real signals in this JVM, but only while they are handled. */
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
  @Proves({"001-10", "001-11", "001-12"})
  void stopsAtTheFirstSignalAndExitsAtTheSecond() throws Exception {
    assumeHandled("INT");
    assertThat(ShutdownSignals.HANDLED).containsExactly("TERM", "INT", "HUP");
    try (Logs logs = Logs.of(Manager.class);
        ShutdownSignals signals = handle("it")) {
      assertThat(signals).hasToString("signals [TERM, INT, HUP]");
      raise("TERM");
      assertThat(next()).isEqualTo("it stops: SIGTERM received");
      time.advance(ShutdownSignals.SAME);
      raise("INT");
      assertThat(next()).isEqualTo("exit 1");
      assertThat(calls).isEmpty();
      assertThat(logs.lines())
          .containsExactly(
              "INFO SIGTERM received: stopping; a second signal ends the process at once",
              "WARN second signal (SIGINT): exiting at once");
    }
  }

  @Test
  @Proves("001-10")
  void beginsAnewWithEachUse() throws Exception {
    assumeHandled("INT");
    for (String name : new String[] {"one", "two"}) {
      try (ShutdownSignals signals = handle(name)) {
        assertThat(signals).isNotNull();
        raise("INT");
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
    assumeHandled("HUP");
    try (ShutdownSignals signals = handle("it")) {
      assertThat(signals).isNotNull();
      raise("HUP");
      assertThat(next()).isEqualTo("it stops: SIGHUP received");
    }
  }

  /**
   * The JVM leaves a signal alone that its parent had it ignore, as shells do in the background.
   */
  private static void assumeHandled(String name) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = type.getConstructor(String.class).newInstance(name);
    Object ignoring = handlerType.getField("SIG_IGN").get(null);
    Method handle = type.getMethod("handle", type, handlerType);
    Object nothing =
        Proxy.newProxyInstance(
            ShutdownSignalsTest.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> null);
    Object before = handle.invoke(null, signal, nothing);
    Object between = handle.invoke(null, signal, before);
    assumeTrue(before != ignoring && between != ignoring, name + " is ignored in this process");
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
    assumeHandled("INT");
    Class<?> type = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object signal = type.getConstructor(String.class).newInstance("INT");
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
      ShutdownSignals.received("INT");
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
