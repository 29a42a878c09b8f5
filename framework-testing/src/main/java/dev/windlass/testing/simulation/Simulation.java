// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.TransportHook;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A simulation of an API server and any number of operator processes. It uses virtual time and runs
 * everything on the test's thread.
 *
 * <p>Each step runs one unit of work that is ready to run: an iteration of a loop, a reconcile, a
 * timer, the delivery of one watch event, or an action of one of the server's controllers. An
 * {@linkplain #inOrder() ordered} simulation chooses the steps in a fixed, fair order. A
 * {@linkplain #random(long) random} simulation chooses each step at random. The same seed always
 * results in the same schedule, and different seeds result in different schedules. Virtual time
 * advances only when no work is ready to run.
 *
 * <p>A reconcile is one step. In a random simulation, other steps can run during a reconcile
 * whenever the reconciler sends a request, as if they ran on other threads. All code runs on one
 * thread, so code that waits for another thread never continues. Code that waits with the manager's
 * {@code Scheduler} works as usual.
 *
 * <p>This class is not thread-safe.
 */
public final class Simulation implements AutoCloseable {

  /**
   * The number of steps at the same virtual time after which the simulation reports an endless
   * loop.
   */
  private static final int LOOP = 20_000;

  /**
   * The interval between the bookmarks of idle watches: 1 h. It is long because each bookmark takes
   * several steps.
   */
  private static final Duration BOOKMARKS = Duration.ofHours(1);

  private final SimulatedTime time = new SimulatedTime();
  private final RandomGenerator random;
  private final EmbeddedApiServer server;
  private final KubernetesClient admin;
  private final boolean inOrder;
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private Runnable whenIdle = () -> {};
  private int turn;
  private long steps;

  private Simulation(RandomGenerator random, boolean inOrder) {
    this.random = random;
    this.inOrder = inOrder;
    this.server =
        EmbeddedApiServer.builder()
            .clock(time.clock())
            .timers((task, delay) -> time.schedule(task, delay, () -> true))
            .random(random)
            .bookmarkInterval(BOOKMARKS)
            .withoutSockets()
            .start();
    this.admin = server.newClient();
  }

  /** Creates a simulation that chooses its steps in a fixed, fair order. */
  public static Simulation inOrder() {
    return new Simulation(new Random(1), true);
  }

  /**
   * Creates a simulation that chooses each step at random. The seed determines all of its choices.
   */
  public static Simulation random(long seed) {
    return new Simulation(new Random(seed), false);
  }

  /** Returns the server that all processes use. */
  public EmbeddedApiServer server() {
    return server;
  }

  /** Returns a client with all permissions, for requests on behalf of a user of the operator. */
  public KubernetesClient kubernetesClient() {
    return admin;
  }

  /** Returns the wall clock, which advances with virtual time. */
  public Clock clock() {
    return time.clock();
  }

  /** Returns the virtual time since the beginning of the simulation. */
  public Duration elapsed() {
    return Duration.ofNanos(time.nanoTime());
  }

  /** Returns the number of steps that have run. */
  public long steps() {
    return steps;
  }

  /** Returns the simulation's random generator, which a test can use for its own random choices. */
  public RandomGenerator random() {
    return random;
  }

  SimulatedTime time() {
    return time;
  }

  /**
   * Starts a process.
   *
   * @param name the name that identifies the process in failure messages
   * @param hook the hook that intercepts the process's requests
   * @param settings the function that adds settings to the manager's builder. It must not replace
   *     the client, the informer options or the clock
   * @param operator the function that registers the controllers, as the operator's {@code main}
   *     method does
   */
  public SimulatedProcess start(
      String name,
      TransportHook hook,
      UnaryOperator<ManagerBuilder> settings,
      Consumer<? super Manager> operator) {
    SimulatedProcess process = new SimulatedProcess(this, name, hook, settings, operator);
    processes.add(process);
    return process;
  }

  /** Starts a process with the given name and the default settings. */
  public SimulatedProcess start(String name, Consumer<? super Manager> operator) {
    return start(name, TransportHook.NONE, settings -> settings, operator);
  }

  /**
   * Runs one step, if work is ready to run.
   *
   * @return whether a step has run
   */
  public boolean step() {
    processes.removeIf(process -> !process.isAlive());
    int due = time.due();
    List<SimulatedThread> threads = new ArrayList<>();
    processes.forEach(process -> threads.addAll(process.threads()));
    int candidates = due + threads.size();
    if (candidates == 0) {
      return false;
    }
    int first = inOrder ? turn % candidates : random.nextInt(candidates);
    for (int i = 0; i < candidates; i++) {
      int candidate = (first + i) % candidates;
      if (candidate < due) {
        turn = candidate;
        steps++;
        time.takeDue(candidate).run();
        return true;
      }
      if (threads.get(candidate - due).runRound()) {
        turn = candidate + 1;
        steps++;
        return true;
      }
    }
    return false;
  }

  /**
   * Sets an action to run whenever no more work is ready to run. The action can make more work
   * ready, for example by delivering an event that it has held back.
   */
  public void whenIdle(Runnable action) {
    whenIdle = action;
  }

  /** Schedules an action of somebody other than the processes, which runs as one step. */
  public void schedule(Runnable action, Duration delay) {
    time.schedule(action, delay, () -> true);
  }

  private boolean stepOrIdle() {
    if (step()) {
      return true;
    }
    whenIdle.run();
    return step();
  }

  private List<?> lastRequests() {
    var all = server.requests();
    return all.subList(Math.max(0, all.size() - 10), all.size());
  }

  /**
   * Advances virtual time by the given duration. Runs all work that becomes ready during this time,
   * each task at its scheduled time.
   *
   * @param by the duration; zero runs only the work that is ready now
   */
  public void advance(Duration by) {
    long until = time.nanoTime() + by.toNanos();
    advanceUntil(() -> false, Duration.ofNanos(until - time.nanoTime()));
    time.advance(Duration.ofNanos(Math.max(0, until - time.nanoTime())));
  }

  /**
   * Runs steps and advances virtual time until the given condition is met or the time limit is
   * reached. Checks the condition after each step.
   *
   * @param limit the maximum virtual time to advance
   * @return whether the condition is met
   */
  public boolean advanceUntil(BooleanSupplier condition, Duration limit) {
    long until = time.nanoTime() + limit.toNanos();
    int stepsAtOnce = 0;
    long now = time.nanoTime();
    while (!condition.getAsBoolean()) {
      if (stepOrIdle()) {
        stepsAtOnce = time.nanoTime() == now ? stepsAtOnce + 1 : 0;
        now = time.nanoTime();
        if (stepsAtOnce > LOOP) {
          throw new AssertionError(
              "%d steps have run at the same virtual time, %s after the beginning: the operator runs in a loop without a delay. The last requests of all clients: %s"
                  .formatted(stepsAtOnce, elapsed(), lastRequests()));
        }
        continue;
      }
      Optional<Duration> next = time.untilNext();
      if (next.isEmpty() || time.nanoTime() + next.get().toNanos() > until) {
        return false;
      }
      time.advance(next.get());
    }
    return true;
  }

  /** Kills all processes and closes the server. */
  @Override
  public void close() {
    processes.forEach(SimulatedProcess::kill);
    admin.close();
    server.close();
  }
}
