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
 * An API server and any number of operator processes, in virtual time and on the test's thread.
 *
 * <p>Each step runs one unit of work that could run now: an iteration of a loop, a reconcile, a
 * timer, the delivery of one watch event, or an action of one of the server's controllers. An
 * {@linkplain #inOrder() ordered} simulation chooses the steps in a fixed, fair order. In a
 * {@linkplain #random(long) random} simulation, a generator chooses each step, so each seed results
 * in a different schedule, and the same seed always results in the same schedule. Virtual time
 * passes only when there are no steps to run.
 *
 * <p>A reconcile is one step. In a random simulation, other steps can run within it whenever it
 * sends a request, as if they ran on other threads. Code that waits for another thread never
 * continues, because there are no other threads. Code that waits through the manager's {@code
 * Scheduler} works as usual.
 *
 * <p>This class is not thread-safe.
 */
public final class Simulation implements AutoCloseable {

  /**
   * The number of steps without progress of virtual time after which a simulation counts as being
   * in a loop.
   */
  private static final int LOOP = 20_000;

  /**
   * The time between the bookmarks of idle watches. It is long, because each bookmark takes several
   * steps.
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

  /** Creates a simulation that chooses each step at random, based on the given seed. */
  public static Simulation random(long seed) {
    return new Simulation(new Random(seed), false);
  }

  /** Returns the server that all processes use. */
  public EmbeddedApiServer server() {
    return server;
  }

  /** Returns a client with all permissions, with which a test acts as a user of the operator. */
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

  /** Returns the random generator of this simulation, which tests can use for their own choices. */
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
   * @param hook the hook for the process's requests
   * @param settings the function that adds settings to the manager's builder. It must keep the
   *     client, the informer options and the clock
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

  /** Runs one step. Returns false, without running a step, if no work is due. */
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
   * Sets an action that runs whenever all work that is due has been done. The action can enable
   * more work, such as a delivery that was held.
   */
  public void whenIdle(Runnable action) {
    whenIdle = action;
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
   * Advances virtual time by the given duration and runs all work that becomes due during this
   * time, each task at its scheduled time.
   *
   * @param by the duration; zero runs only the work that is due now
   */
  public void advance(Duration by) {
    long until = time.nanoTime() + by.toNanos();
    advanceUntil(() -> false, Duration.ofNanos(until - time.nanoTime()));
    time.advance(Duration.ofNanos(Math.max(0, until - time.nanoTime())));
  }

  /**
   * Runs steps and advances virtual time until the given condition is met. Checks the condition
   * after each step.
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
