// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.manager.RegisteredComponent.State;
import dev.windlass.manager.shutdown.StopSequence;
import dev.windlass.scheduling.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The components of a manager. This class records which components exist, which can start, and
 * which have started.
 *
 * <p>The lock guards only this bookkeeping. No thread holds the lock while it calls a component.
 * Before a thread calls a component, it claims the component in {@link RegisteredComponent#state}.
 * Only one thread can claim a component at a time.
 */
final class Components {

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  private interface Call {
    void on(ManagedComponent component) throws Exception;
  }

  private final StopSequence stopSequence;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<RegisteredComponent> registered = new ArrayList<>();

  @GuardedBy("lock")
  private final Map<String, ManagedComponent> names = new HashMap<>();

  /** The last phase that has been opened; null before the manager starts. */
  @GuardedBy("lock")
  private @Nullable Phase reached;

  /** Whether components can no longer start. */
  @GuardedBy("lock")
  private boolean sealed;

  @GuardedBy("lock")
  private int starts;

  Components(StopSequence stopSequence) {
    this.stopSequence = stopSequence;
  }

  /** Rejects a name that another component has already taken. */
  void requireFree(String name) {
    synchronized (lock) {
      if (names.containsKey(name)) {
        throw new IllegalStateException(
            name + " already exists: choose another name, or remove that component first");
      }
    }
  }

  /**
   * Adds a component.
   *
   * @param name the component's name, which must be unique; null for none
   */
  RegisteredComponent add(
      @Nullable String name, ManagedComponent component, @Nullable LeaderGroup group) {
    synchronized (lock) {
      requireOpen();
      if (name != null) {
        requireFree(name);
        names.put(name, component);
      }
      RegisteredComponent part =
          new RegisteredComponent(component, component.phase() == Phase.LEADER ? group : null);
      registered.add(part);
      return part;
    }
  }

  /** Returns the component that has this name, if it is of the given class. */
  <T> Optional<T> find(String name, Class<T> type) {
    synchronized (lock) {
      return Optional.ofNullable(names.get(name)).filter(type::isInstance).map(type::cast);
    }
  }

  /** Removes the given component and its name. */
  Optional<RegisteredComponent> forget(ManagedComponent component) {
    synchronized (lock) {
      names.values().remove(component);
      Optional<RegisteredComponent> found =
          registered.stream().filter(s -> s.component == component).findFirst();
      found.ifPresent(registered::remove);
      return found;
    }
  }

  /** Opens a phase, so that its components can start. */
  void reach(Phase phase) {
    synchronized (lock) {
      reached = phase;
    }
  }

  /** Returns whether components of the given phase start when they are added. */
  boolean hasReached(Phase phase) {
    synchronized (lock) {
      return reached != null && reached.compareTo(phase) >= 0;
    }
  }

  private List<RegisteredComponent> where(Predicate<RegisteredComponent> condition) {
    synchronized (lock) {
      return registered.stream().filter(condition).toList();
    }
  }

  /**
   * Starts the components of a phase that do not depend on a leader, including components that are
   * added while this method runs.
   */
  void startAll(Phase phase) {
    Optional<RegisteredComponent> next;
    do {
      next =
          where(s -> s.phase() == phase && s.group == null && s.state == State.IDLE).stream()
              .findFirst();
      next.ifPresent(this::start);
    } while (next.isPresent());
  }

  /** Returns the components of the given type, started or not. */
  <T> List<T> of(Class<T> type) {
    return all().stream()
        .map(registered -> registered.component)
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  /** Returns all components, started or not. */
  List<RegisteredComponent> all() {
    return where(part -> true);
  }

  void warmUp(LeaderGroup group) {
    where(s -> s.group == group).forEach(this::warmUp);
  }

  void start(LeaderGroup group) {
    where(s -> s.group == group).forEach(this::start);
  }

  /** Warms up a component, unless it is already warm or has started. */
  void warmUp(RegisteredComponent part) {
    synchronized (lock) {
      if (reached == null
          || reached.compareTo(Phase.WARM_UP) < 0
          || part.state != State.IDLE
          || part.group == null
          || sealed) {
        return;
      }
      claim(part, State.WARMING);
    }
    call(part, ManagedComponent::warmUp, State.WARM, "get ready");
  }

  /**
   * Starts a component if its phase is open and no other thread is starting it.
   *
   * @throws IllegalStateException if the component cannot start, or if the manager has been stopped
   */
  void start(RegisteredComponent part) {
    synchronized (lock) {
      LeaderGroup group = part.group;
      boolean may = group == null ? part.state == State.IDLE : part.canStart() && group.mayStart();
      if (!may
          || reached == null
          || part.phase().compareTo(reached) > 0
          || !registered.contains(part)) {
        return;
      }
      requireUnsealed();
      claim(part, State.STARTING);
      part.order = ++starts;
    }
    call(part, ManagedComponent::start, State.STARTED, "start");
  }

  @GuardedBy("lock")
  private void claim(RegisteredComponent part, State state) {
    part.state = state;
    part.busy = Thread.currentThread();
    part.settled = new CompletableFuture<>();
  }

  /**
   * Calls a component. Shutdown stops the component even if the call fails, because the failed call
   * may have completed part of its work.
   */
  private void call(RegisteredComponent part, Call call, State after, String what) {
    try {
      call.on(part.component);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException(part + " could not " + what + ": " + e.getMessage(), e);
    } finally {
      if (settle(part, after)) {
        log.warn("{} finished its start after the stop; stopping it now", part);
        end(part, stopSequence.in(Duration.ZERO));
      }
    }
  }

  /** Releases a component after a call. Returns whether shutdown has abandoned the component. */
  private boolean settle(RegisteredComponent part, State state) {
    CompletableFuture<Void> settled;
    boolean late;
    synchronized (lock) {
      part.state = state;
      part.busy = null;
      settled = part.settled;
      late = part.abandoned && state != State.IDLE;
    }
    settled.complete(null);
    return late;
  }

  /** Stops a component that was removed. Returns whether it stopped in time. */
  boolean endRemoved(RegisteredComponent part, Duration limit) {
    boolean inTime = end(part, stopSequence.in(limit));
    disconnect(part);
    LeaderGroup group = part.group;
    if (!inTime && group != null) {
      group.leaveToExpire();
    }
    return inTime;
  }

  /** Returns whether the calling thread is starting or stopping a component. */
  boolean isCalledByAComponent() {
    return !where(s -> s.busy == Thread.currentThread()).isEmpty();
  }

  /** Prevents further starts of components. Returns whether this call was the first. */
  boolean seal() {
    synchronized (lock) {
      boolean first = !sealed;
      sealed = true;
      return first;
    }
  }

  /**
   * Throws an exception if the manager has stopped, because no more components can then be added.
   */
  void requireOpen() {
    if (isSealed()) {
      throw new IllegalStateException("the manager has stopped; build another one");
    }
  }

  /** Throws an exception if the manager was stopped during startup. */
  void requireUnsealed() {
    if (isSealed()) {
      throw new IllegalStateException("the manager was stopped while it started");
    }
  }

  boolean isSealed() {
    synchronized (lock) {
      return sealed;
    }
  }

  /** Returns the components to stop, sorted by phase and order of start, last first. */
  List<RegisteredComponent> toStop() {
    return where(s -> s.state != State.IDLE || s.stoodDown).stream().sorted(LAST_FIRST).toList();
  }

  /**
   * Stops all components except the endpoints, and closes the connections to clusters that were
   * never started. Standby replicas no longer compete for leases from the beginning. A leader
   * releases a lease as soon as the group's components have stopped, before other components stop.
   *
   * @param reserve the time before the deadline that is reserved for the components that stop last
   */
  boolean endAll(Deadline deadline, Duration reserve, List<LeaderGroup> groups) {
    groups.forEach(LeaderGroup::withdraw);
    for (RegisteredComponent part : toStop()) {
      if (part.phase().compareTo(Phase.CACHES) > 0) {
        cancel(part, deadline.earlierBy(reserve).left());
      }
    }
    boolean inTime = true;
    for (RegisteredComponent part : toStop()) {
      groups.forEach(LeaderGroup::giveBack);
      if (part.phase() != Phase.HTTP) {
        boolean last = part.phase().compareTo(Phase.CACHES) <= 0;
        inTime &= end(part, last ? deadline : deadline.earlierBy(reserve));
      }
    }
    all().forEach(Components::disconnect);
    return inTime;
  }

  /** Stops the endpoints. They are stopped last, so that they respond during shutdown. */
  boolean endEndpoints(Deadline deadline) {
    boolean inTime = true;
    for (RegisteredComponent part : toStop()) {
      inTime &= end(part, deadline);
    }
    return inTime;
  }

  private static void disconnect(RegisteredComponent part) {
    if (part.component instanceof KubernetesCluster cluster) {
      cluster.disconnect();
    }
  }

  private static final Comparator<RegisteredComponent> LAST_FIRST =
      Comparator.<RegisteredComponent, Phase>comparing(RegisteredComponent::phase)
          .thenComparing(s -> s.order)
          .reversed();

  /**
   * Cancels the components of a group that has lost its lease. Does not wait for them.
   *
   * @param limit the time within which the components must stop
   */
  void cancel(LeaderGroup group, Duration limit) {
    for (RegisteredComponent part : where(s -> s.group == group && s.state != State.IDLE)) {
      interruptStart(part); // a waiting start must not delay the stop
      cancel(part, limit);
    }
  }

  private static void cancel(RegisteredComponent part, Duration limit) {
    try {
      part.component.cancel(limit);
    } catch (RuntimeException | Error e) {
      log.error("Failed to cancel {}; stopping it anyway", part, OneLine.of(e));
    }
  }

  /**
   * Stops a group's components in reverse start order, or makes them stand down. Returns whether
   * all did so in time.
   */
  boolean end(LeaderGroup group, boolean standDown, Deadline deadline) {
    boolean ended = true;
    for (RegisteredComponent part : toStop()) {
      if (part.group == group) {
        ended &= end(part, standDown, deadline);
      }
    }
    return ended;
  }

  /** Returns whether all components of a group have stopped in time. */
  boolean hasEnded(LeaderGroup group) {
    return unended(group).isEmpty();
  }

  /** Returns the components of a group that are still running or did not stop in time. */
  List<RegisteredComponent> unended(LeaderGroup group) {
    return where(s -> s.group == group && (s.state != State.IDLE || !s.ended || s.abandoned));
  }

  /**
   * Stops a component after a call in progress, if any, has returned. If a start does not return,
   * it is interrupted after half of the time and abandoned at the deadline. If an abandoned start
   * returns later, its thread stops the component.
   */
  boolean end(RegisteredComponent part, Deadline deadline) {
    return end(part, false, deadline);
  }

  private boolean end(RegisteredComponent part, boolean standDown, Deadline deadline) {
    if (!await(part, deadline)) {
      log.warn("{} did not finish its start in time; abandoning it", part);
      return false;
    }
    synchronized (lock) {
      boolean unfinished = part.stoodDown && !(standDown && part.ended);
      if (part.state == State.IDLE && !unfinished) {
        return part.ended; // another thread has stopped it
      }
      if (part.state == State.STOPPING) {
        return false; // the component called this from its own stop
      }
      claim(part, State.STOPPING);
    }
    boolean ended = false;
    try {
      ended =
          stopSequence.end(
              part, standDown ? part.component::standDown : part.component::stop, deadline);
    } finally {
      synchronized (lock) {
        part.ended = ended;
        part.stoodDown = standDown;
      }
      settle(part, State.IDLE);
    }
    return ended;
  }

  private boolean await(RegisteredComponent part, Deadline deadline) {
    CompletableFuture<Void> settled;
    synchronized (lock) {
      if (part.busy == null || part.busy == Thread.currentThread()) {
        return true;
      }
      settled = part.settled;
    }
    if (stopSequence.await(settled, () -> interruptStart(part), deadline)) {
      return true;
    }
    synchronized (lock) {
      part.abandoned = part.busy != null;
      return !part.abandoned;
    }
  }

  private void interruptStart(RegisteredComponent part) {
    synchronized (lock) {
      Thread busy = part.busy;
      if (part.isBeginning() && busy != null && busy != Thread.currentThread()) {
        busy.interrupt();
      }
    }
  }
}
