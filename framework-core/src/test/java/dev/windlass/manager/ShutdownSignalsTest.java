// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.testing.core.Logs;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Raises real signals in this JVM, but only while they are handled. */
@Timeout(30)
final class ShutdownSignalsTest {

  private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();

  private ShutdownSignals handle(String name) {
    return ShutdownSignals.handle(
        () -> calls.add(name + " stops"), code -> calls.add("exit " + code));
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
    assertThat(ShutdownSignals.HANDLED).containsExactly("TERM", "INT");
    try (Logs logs = Logs.of(Manager.class);
        ShutdownSignals signals = handle("it")) {
      assertThat(signals).hasToString("signals [TERM, INT]");
      raise("TERM");
      assertThat(next()).isEqualTo("it stops");
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
    for (String name : new String[] {"one", "two"}) {
      try (ShutdownSignals signals = handle(name)) {
        assertThat(signals).isNotNull();
        raise("INT");
        assertThat(next()).isEqualTo(name + " stops");
      }
    }
  }

  /** Two managers may run in one process, and end in any order: a signal is meant for all. */
  @Test
  void stopsAllWhoHandleSignals() throws Exception {
    ShutdownSignals one = handle("one");
    try (ShutdownSignals two = handle("two")) {
      assertThat(two).isNotNull();
      raise("TERM");
      assertThat(next()).isEqualTo("one stops");
      assertThat(next()).isEqualTo("two stops");
      one.close();
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
      assertThat(next()).isEqualTo("two stops");
    } finally {
      one.close();
    }
    assertThat(calls).isEmpty();
  }
}
