// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.shutdown;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles SIGTERM, SIGINT and SIGHUP while a manager runs. The first signal requests shutdown. A
 * second signal terminates the process immediately with exit code 1. A signal that arrives within
 * {@link #SAME} of the first signal is ignored as a duplicate, because some supervisors signal both
 * a process and its process group.
 *
 * <p>The JDK supports signal handlers only through {@code sun.misc.Signal}, and using that class
 * causes compiler warnings. This class therefore accesses {@code Signal} by reflection. If {@code
 * Signal} is missing, the JVM's default handling of signals remains in effect. This class does not
 * use shutdown hooks, because they cannot distinguish a second signal from the first, and they
 * prevent {@code main} from returning.
 */
public final class ShutdownSignals implements AutoCloseable {

  /** The names of the signals to handle. */
  static final List<String> HANDLED = List.of("TERM", "INT", "HUP");

  /** The period after the first signal in which further signals are ignored as duplicates: 1 s. */
  static final Duration SAME = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger("dev.windlass.manager.Manager");

  /**
   * The instances that wait for a signal. Several managers can run in one process, and the process
   * receives each signal only once.
   */
  @GuardedBy("ShutdownSignals.class")
  private static final List<ShutdownSignals> waiting = new ArrayList<>();

  /** The actions that restore the previous handlers. */
  @GuardedBy("ShutdownSignals.class")
  private static final List<Runnable> restore = new ArrayList<>();

  private final Consumer<String> stop;
  private final Scheduler scheduler;
  private final IntConsumer exit;

  /**
   * The time at which the first signal arrived, in nanoseconds on the scheduler's clock; null
   * before the first signal.
   */
  @GuardedBy("this")
  private @Nullable Long first;

  private ShutdownSignals(Consumer<String> stop, Scheduler scheduler, IntConsumer exit) {
    this.stop = stop;
    this.scheduler = scheduler;
    this.exit = exit;
  }

  /**
   * Installs signal handlers, which remain in effect until {@link #close()} is called. The handlers
   * call {@code stop} with the reason on the first signal, and end the process on a second signal.
   */
  static ShutdownSignals handle(Consumer<String> stop, Scheduler scheduler) {
    return handle(stop, scheduler, Runtime.getRuntime()::halt);
  }

  /**
   * Does the same as {@link #handle(Consumer, Scheduler)}, but calls {@code exit} with the exit
   * code to end the process.
   */
  static ShutdownSignals handle(Consumer<String> stop, Scheduler scheduler, IntConsumer exit) {
    ShutdownSignals signals = new ShutdownSignals(stop, scheduler, exit);
    synchronized (ShutdownSignals.class) {
      waiting.add(signals);
      if (waiting.size() == 1) {
        HANDLED.forEach(name -> install(name, () -> received(name)));
      }
    }
    return signals;
  }

  static void received(String name) {
    List<ShutdownSignals> all;
    synchronized (ShutdownSignals.class) {
      all = List.copyOf(waiting);
    }
    if (all.isEmpty()) { // the last manager has just stopped: use the previous handler
      raise(name);
      return;
    }
    List<ShutdownSignals> first = all.stream().filter(ShutdownSignals::isFirst).toList();
    if (!first.isEmpty()) {
      log.info("SIG{} received: stopping; a second signal ends the process at once", name);
      first.forEach(signals -> signals.stop.accept("SIG" + name + " received"));
    } else if (all.stream().anyMatch(ShutdownSignals::isTheSame)) {
      log.info("SIG{} received within 1 s of the first signal; ignored as a duplicate", name);
    } else {
      log.warn("second signal (SIG{}): exiting at once", name);
      all.get(0).exit.accept(1);
    }
  }

  private static void raise(String name) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Object signal = signalClass.getConstructor(String.class).newInstance(name);
      signalClass.getMethod("raise", signalClass).invoke(null, signal);
    } catch (ReflectiveOperationException | RuntimeException e) {
      log.warn("Failed to pass on SIG{}, which arrived after the manager had stopped", name, e);
    }
  }

  private synchronized boolean isFirst() {
    if (first != null) {
      return false;
    }
    first = scheduler.nanoTime();
    return true;
  }

  private synchronized boolean isTheSame() {
    return first != null && scheduler.nanoTime() - first < SAME.toNanos();
  }

  @GuardedBy("ShutdownSignals.class")
  private static void install(String name, Runnable action) {
    try {
      Class<?> signalClass = Class.forName("sun.misc.Signal");
      Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
      Object signal = signalClass.getConstructor(String.class).newInstance(name);
      InvocationHandler invocation =
          (proxy, method, arguments) -> answer(proxy, method.getName(), arguments, action);
      Object handler =
          Proxy.newProxyInstance(
              handlerClass.getClassLoader(), new Class<?>[] {handlerClass}, invocation);
      var handle = signalClass.getMethod("handle", signalClass, handlerClass);
      Object previous = handle.invoke(null, signal, handler);
      restore.add(
          () -> {
            try {
              handle.invoke(null, signal, previous);
            } catch (ReflectiveOperationException e) {
              log.debug("Failed to restore the previous handler of SIG{}", name, e);
            }
          });
    } catch (ReflectiveOperationException | RuntimeException e) {
      log.warn("SIG{} can't be handled by this JVM; it will end the process directly", name, e);
    }
  }

  private static @Nullable Object answer(
      Object proxy, String method, Object @Nullable [] arguments, Runnable action) {
    return switch (method) {
      case "handle" -> {
        action.run();
        yield null;
      }
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "ShutdownSignals";
    };
  }

  @Override
  public String toString() {
    return "signals " + HANDLED;
  }

  /** Restores the previous signal handlers, unless another manager is still waiting for signals. */
  @Override
  public void close() {
    synchronized (ShutdownSignals.class) {
      if (waiting.remove(this) && waiting.isEmpty()) {
        restore.forEach(Runnable::run);
        restore.clear();
      }
    }
  }
}
