// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.events.EventBroadcaster;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole of a program's controllers and what they share: one client, one cache per type, events,
 * a common start and a common end.
 *
 * <pre>{@code
 * try (Manager manager = Manager.builder().build()) {
 *   ControllerBuilder.forType(Foo.class).reconciler(new FooReconciler(manager.client())).register(manager);
 *   manager.run();
 * }
 * }</pre>
 *
 * <p>It starts components phase by phase, and stops them in reverse, all under one deadline. It
 * runs once; another one can be built in the same process, also at the same time. All methods may
 * be called from any thread.
 */
public final class Manager implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  /** The part of the stop timeout that is kept for what ends last: a tenth. */
  private static final int RESERVE = 10;

  private enum State {
    NEW,
    RUNNING,
    STOPPED
  }

  private final KubernetesClient kubernetesClient;
  private final boolean ownsClient;
  private final SharedInformerFactory informers;
  private final InformerOptions informerOptions;
  private final Client client;
  private final EventBroadcaster events;
  private final Scheduler scheduler;
  private final Duration stopTimeout;
  private final CountDownLatch stopRequested = new CountDownLatch(1);

  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private final Object lock = new Object();

  @GuardedBy("lock")
  private State state = State.NEW;

  /** The phase that starts, or has started last. */
  @GuardedBy("lock")
  private Phase reached = Phase.HTTP;

  /** Who stops everything, and whether it ended in time; both once there was a stop. */
  @GuardedBy("lock")
  private @Nullable Thread stopper;

  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();

  @GuardedBy("lock")
  private final List<ManagedComponent> components = new ArrayList<>();

  @GuardedBy("lock")
  private final List<ManagedComponent> started = new ArrayList<>();

  /** Of those components that have one of their own. */
  @GuardedBy("lock")
  private final Map<String, ManagedComponent> names = new HashMap<>();

  Manager(ManagerBuilder settings) {
    kubernetesClient = settings.client();
    ownsClient = settings.ownsClient();
    informerOptions = settings.informerOptions();
    informers = new SharedInformerFactory(settings.connector(), settings.scope(), informerOptions);
    settings.ownWrites().ifPresent(writes -> writes.watch(informers));
    client = new CachedClient(kubernetesClient, informers, settings.clientSettings());
    scheduler = informerOptions.scheduler();
    events =
        new EventBroadcaster(
            kubernetesClient, scheduler, settings.clock(), informerOptions.threads());
    stopTimeout = settings.stopTimeout();
    components.add(new Caches());
  }

  /** The settings of a manager, all of which have defaults. */
  public static ManagerBuilder builder() {
    return new ManagerBuilder();
  }

  /** The client for reconcilers. */
  public Client client() {
    return client;
  }

  /** The fabric8 client under it, for whatever {@link #client()} does not offer. */
  public KubernetesClient kubernetesClient() {
    return kubernetesClient;
  }

  /** The recorder whose Events come from the given component. */
  public EventRecorder eventRecorder(String component) {
    return events.recorder(component);
  }

  /** The informers that all controllers share. */
  public SharedInformerFactory informers() {
    return informers;
  }

  /**
   * Has a type cached, in the namespace of this manager, whether a controller watches it or not; so
   * {@link #client()} reads it without requests.
   */
  public <T extends HasMetadata> SharedIndexInformer<T> cache(Class<T> type) {
    SharedIndexInformer<T> informer = informers.informer(type);
    informers.startIfStarted();
    return informer;
  }

  /** Clock, threads and randomness, for components that live beside the controllers. */
  public InformerOptions informerOptions() {
    return informerOptions;
  }

  /**
   * Adds a component, which starts with the manager, or at once if that is running.
   *
   * @throws IllegalStateException if the manager was stopped, or if the component can't start
   */
  public void add(ManagedComponent component) {
    synchronized (lock) {
      if (state == State.STOPPED) {
        throw new IllegalStateException("the manager has stopped; build another one");
      }
      components.add(component);
    }
    orStop(
        () -> {
          synchronized (lock) {
            if (state == State.RUNNING
                && component.phase().compareTo(reached) <= 0
                && !started.contains(component)) {
              start(component);
            }
          }
        });
  }

  /**
   * As {@link #add(ManagedComponent)}, under a name that no other component of this manager has.
   *
   * @param name what the component is called, in messages too
   * @throws IllegalStateException also if the name is taken
   */
  public void add(String name, ManagedComponent component) {
    synchronized (lock) {
      if (names.putIfAbsent(name, component) != null) {
        throw new IllegalStateException(
            name + " is there already: choose another name, or remove that component first");
      }
    }
    boolean added = false;
    try {
      add(component);
      added = true;
    } finally {
      if (!added) {
        forget(component);
      }
    }
  }

  /**
   * Stops a component, within the stop timeout, and forgets it and its name.
   *
   * @return whether it ended in time
   * @throws InterruptedException if the caller was interrupted while it waited; it is forgotten all
   *     the same
   */
  public boolean remove(ManagedComponent component) throws InterruptedException {
    forget(component);
    return component.stop(stopTimeout);
  }

  private void forget(ManagedComponent component) {
    synchronized (lock) {
      components.remove(component);
      started.remove(component);
      names.values().remove(component);
    }
  }

  /**
   * Starts everything and returns.
   *
   * @throws IllegalStateException if a component can't start, in which case all are stopped, or if
   *     this was called before
   */
  public void start() {
    synchronized (lock) {
      if (state != State.NEW) {
        throw new IllegalStateException("a manager runs once; build another one");
      }
      state = State.RUNNING;
    }
    orStop(
        () -> {
          synchronized (lock) {
            for (Phase phase : Phase.values()) {
              reached = phase;
              for (ManagedComponent component : List.copyOf(components)) {
                if (component.phase() == phase) {
                  start(component);
                }
              }
            }
          }
        });
  }

  /** Stops everything if the start fails; not under the lock, which those who end may want. */
  private void orStop(Runnable start) {
    boolean begun = false;
    try {
      start.run();
      begun = true;
    } finally {
      if (!begun) {
        stop();
      }
    }
  }

  @GuardedBy("lock")
  private void start(ManagedComponent component) {
    if (state == State.STOPPED) {
      throw new IllegalStateException("the manager was stopped while it started");
    }
    started.add(component);
    try {
      component.start();
    } catch (Exception e) {
      throw new IllegalStateException(component + " could not start: " + e.getMessage(), e);
    }
  }

  /**
   * Starts everything, waits for {@link #requestStop()}, SIGTERM or SIGINT, and stops everything. A
   * second signal ends the process at once with exit code 1.
   *
   * @return whether everything ended in time
   * @throws IllegalStateException after the stop, if a component has failed; and as {@link #start}
   */
  public boolean run() {
    // Closed last: a second signal must be able to end a stop that hangs.
    try (ShutdownSignals signals = ShutdownSignals.handle(this::requestStop)) {
      log.debug("Handling {}", signals);
      start();
      stopRequested.await();
      boolean inTime = stop();
      Throwable cause = failure.get();
      if (cause != null) {
        throw new IllegalStateException("a component failed: " + cause.getMessage(), cause);
      }
      return inTime;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // asked to end in another way
      return stop();
    }
  }

  /** Lets {@link #run()} stop everything and return. Returns at once. */
  public void requestStop() {
    stopRequested.countDown();
  }

  /**
   * Tells that a component can't go on: {@link #run()} stops everything, and throws. The first
   * failure counts. Returns at once.
   */
  public void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      log.error("The manager stops, because a component failed: {}", cause.getMessage());
    }
    requestStop();
  }

  /** What a component failed with; empty if none did. */
  public Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  /** Whether the stop has begun, or is over. */
  public boolean isStopping() {
    synchronized (lock) {
      return state == State.STOPPED;
    }
  }

  /**
   * Stops everything, in the reverse order of the start, within the stop timeout. Repeatable: who
   * comes second waits for the first to end. A reconciler, for which this waits in turn, calls
   * {@link #requestStop()} instead.
   *
   * @return whether everything ended in time
   */
  public boolean stop() {
    @Nullable List<ManagedComponent> ending;
    synchronized (lock) {
      if (stopper == Thread.currentThread() && !ended.isDone()) {
        return false; // a component that is being stopped asks for what is under way
      }
      ending = state == State.STOPPED ? null : new ArrayList<>(started);
      if (ending != null) {
        state = State.STOPPED;
        stopper = Thread.currentThread();
        started.clear();
      }
    }
    if (ending == null) {
      return ended.join();
    }
    requestStop();
    boolean inTime = false;
    try {
      inTime = end(ending);
    } finally {
      ended.complete(inTime);
    }
    return inTime;
  }

  private interface Stop {
    boolean within(Duration limit) throws InterruptedException;
  }

  private boolean end(List<ManagedComponent> ending) {
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(stopTimeout);
    // A reconcile that hangs must not use up the time in which caches and events end.
    long reserve = Scheduler.saturatedNanos(stopTimeout) / RESERVE;
    Collections.reverse(ending);
    ending.sort((a, b) -> b.phase().compareTo(a.phase()));
    boolean inTime = true;
    for (ManagedComponent component : ending) {
      boolean last = component.phase().compareTo(Phase.CACHES) <= 0;
      inTime &= end(component, component::stop, last ? deadline : deadline - reserve);
    }
    inTime &= end("events", events::stop, deadline);
    if (ownsClient) {
      kubernetesClient.close();
    }
    return inTime;
  }

  /**
   * Stops one of them. An interrupt must not cut the stop short, or threads would be left behind:
   * the stop is asked for once more, and whoever interrupted us finds the flag set at the end.
   */
  private boolean end(Object what, Stop stop, long deadline) {
    boolean interrupted = Thread.interrupted();
    boolean inTime = false;
    try {
      inTime = stop.within(until(deadline));
    } catch (InterruptedException e) {
      interrupted = true;
      inTime = endAgain(what, stop, deadline);
    } catch (RuntimeException | Error e) {
      log.error("{} failed to stop; the others are stopped all the same", what, e);
    }
    if (!inTime) {
      log.warn("{} did not stop in time", what);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return inTime;
  }

  private boolean endAgain(Object what, Stop stop, long deadline) {
    try {
      return stop.within(until(deadline));
    } catch (InterruptedException | RuntimeException | Error e) {
      log.error("{} failed to stop; the others are stopped all the same", what, e);
      return false;
    }
  }

  private Duration until(long deadline) {
    return Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime()));
  }

  /** As {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }

  /** The shared informers as a component. */
  private final class Caches implements ManagedComponent {

    @Override
    public Phase phase() {
      return Phase.CACHES;
    }

    @Override
    public void start() {
      informers.start();
    }

    @Override
    public boolean stop(Duration limit) throws InterruptedException {
      return informers.shutDown(limit);
    }

    @Override
    public String toString() {
      return "caches";
    }
  }
}
