// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.apiserver.embedded.InMemoryTransport;
import dev.windlass.testing.apiserver.embedded.TransportHook;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A simulated operator process, which runs one {@link Manager} in a {@link Simulation}. The process
 * ends when it is {@linkplain #kill() killed} or {@linkplain #stop() stopped}. This class is not
 * thread-safe.
 */
public final class SimulatedProcess {

  /**
   * The maximum watch time-out: 1 h. It is long because each restart of a watch takes several
   * steps.
   */
  private static final Duration WATCH_TIMEOUT = Duration.ofHours(1);

  /**
   * The virtual time that each write takes: 1 ms. Even if an operator writes in an endless loop,
   * virtual time advances.
   */
  private static final Duration WRITE = Duration.ofMillis(1);

  private final String name;
  private final SimulatedTime time;
  private final InMemoryTransport transport;
  private final Manager manager;
  private final List<SimulatedThread> threads = new ArrayList<>();
  private boolean alive = true;
  private boolean frozen;

  SimulatedProcess(
      Simulation simulation,
      String name,
      TransportHook hook,
      UnaryOperator<ManagerBuilder> settings,
      Consumer<? super Manager> operator) {
    this.name = name;
    this.time = simulation.time();
    this.transport = simulation.server().inMemory(new Guarded(hook));
    KubernetesClient client = transport.newClient();
    InformerOptions options =
        InformerOptions.defaults()
            .withScheduler(simulation.time().scheduler(this::isAlive))
            .withThreads(task -> new SimulatedThread(task, threads::add, simulation::step))
            .withRandom(new Random(simulation.random().nextLong()))
            .withWatchTimeout(WATCH_TIMEOUT);
    ManagerBuilder builder =
        Manager.builder()
            .client(client)
            .settings(setting -> null)
            .informerOptions(options)
            .clock(simulation.clock())
            .checkPermissions(false);
    manager = settings.apply(builder).build();
    operator.accept(manager);
    manager.start();
  }

  /**
   * Calls the process's hook for each request and response. If the process has been killed, throws
   * a {@link ProcessKilledError} to end the work of the current thread.
   */
  private final class Guarded implements TransportHook {
    private final TransportHook hook;

    Guarded(TransportHook hook) {
      this.hook = hook;
    }

    @Override
    public void sending(RecordedRequest request) throws IOException {
      requireAlive();
      hook.sending(request);
      requireAlive();
    }

    @Override
    public void answered(RecordedRequest request, Answer answer) throws IOException {
      if (request.verb().isWrite()) {
        time.advance(WRITE);
      }
      hook.answered(request, answer);
      requireAlive();
    }

    @Override
    public boolean delivers(RecordedRequest watch, WatchedEvent event) {
      return hook.delivers(watch, event);
    }

    private void requireAlive() {
      if (!alive) {
        throw new ProcessKilledError(name);
      }
    }
  }

  /** Returns the name that identifies the process in failure messages. */
  public String name() {
    return name;
  }

  /** Returns the manager. */
  public Manager manager() {
    return manager;
  }

  /** Returns whether the process is running. */
  public boolean isAlive() {
    return alive;
  }

  /** Returns the connection to the server. */
  public InMemoryTransport transport() {
    return transport;
  }

  /**
   * Kills the process, like {@code kill -9}. The process's threads do not run again, and the
   * process sends no further requests. The objects and leases on the server remain unchanged.
   */
  public void kill() {
    alive = false;
    threads.clear();
    transport.disconnect();
  }

  /**
   * Stops all threads of the process, like SIGSTOP, until {@link #thaw} is called. Its connections
   * remain open.
   */
  public void freeze() {
    frozen = true;
  }

  /** Lets the process continue after {@link #freeze}. */
  public void thaw() {
    frozen = false;
  }

  /**
   * Stops the manager as SIGTERM does, and then ends the process. While the stop waits for a loop
   * of the manager, other steps of the simulation run.
   *
   * @return whether the manager stopped within its time limit
   */
  public boolean stop() {
    boolean inTime = manager.stop();
    kill();
    return inTime;
  }

  /**
   * Makes the threads that are in the middle of their work appear alive to the code that stops
   * them, until their current iteration ends.
   *
   * @return whether all of them appear alive
   */
  boolean showRunningThreads() {
    return threads.stream()
        .filter(SimulatedThread::isRunning)
        .allMatch(SimulatedThread::appearAlive);
  }

  /** Returns the threads that have been started and have not ended; none while it is frozen. */
  List<SimulatedThread> threads() {
    threads.removeIf(SimulatedThread::hasEnded);
    return frozen ? List.of() : threads;
  }

  @Override
  public String toString() {
    return name;
  }
}
