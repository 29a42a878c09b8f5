// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.logging.OneLine;
import dev.windlass.manager.Slot.State;
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
 * The components of a manager: which exist, which may start, and which have started.
 *
 * <p>The lock guards only this bookkeeping; components are called without it. Before a thread calls
 * a component, it claims the component in {@link Slot#state}; only one thread can at a time.
 */
final class Components {

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  /** An action on a component. */
  private interface Call {
    void on(ManagedComponent component) throws Exception;
  }

  private final StopSequence endings;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<Slot> slots = new ArrayList<>();

  @GuardedBy("lock")
  private final Map<String, ManagedComponent> names = new HashMap<>();

  /** The phase that is starting or started last; null before the start. */
  @GuardedBy("lock")
  private @Nullable Phase reached;

  /** Whether further components are prevented from starting. */
  @GuardedBy("lock")
  private boolean sealed;

  @GuardedBy("lock")
  private int starts;

  Components(StopSequence endings) {
    this.endings = endings;
  }

  /** Rejects a name that a component already has. */
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
   * @param name rejected if another component has it; null for none
   */
  Slot add(@Nullable String name, ManagedComponent component, @Nullable LeaderGroup group) {
    synchronized (lock) {
      requireOpen();
      if (name != null) {
        requireFree(name);
        names.put(name, component);
      }
      Slot slot = new Slot(component, component.phase() == Phase.LEADER ? group : null);
      slots.add(slot);
      return slot;
    }
  }

  /** Returns the component of a name, if it is of the given class. */
  <T> Optional<T> find(String name, Class<T> type) {
    synchronized (lock) {
      return Optional.ofNullable(names.get(name)).filter(type::isInstance).map(type::cast);
    }
  }

  /** Removes a component and its name. */
  Optional<Slot> forget(ManagedComponent component) {
    synchronized (lock) {
      names.values().remove(component);
      Optional<Slot> found = slots.stream().filter(s -> s.component == component).findFirst();
      found.ifPresent(slots::remove);
      return found;
    }
  }

  /** Opens a phase, so that its components may start. */
  void reach(Phase phase) {
    synchronized (lock) {
      reached = phase;
    }
  }

  /** Returns whether components of a phase start when they are added. */
  boolean hasReached(Phase phase) {
    synchronized (lock) {
      return reached != null && reached.compareTo(phase) >= 0;
    }
  }

  private List<Slot> where(Predicate<Slot> condition) {
    synchronized (lock) {
      return slots.stream().filter(condition).toList();
    }
  }

  /**
   * Starts the components of a phase that start without leader election, including those added
   * meanwhile.
   */
  void startAll(Phase phase) {
    Optional<Slot> next;
    do {
      next =
          where(s -> s.phase() == phase && s.group == null && s.state == State.IDLE).stream()
              .findFirst();
      next.ifPresent(this::start);
    } while (next.isPresent());
  }

  /** Returns all components, started or not. */
  List<Slot> all() {
    return where(slot -> true);
  }

  /** Warms up the components of a group. */
  void warmUp(LeaderGroup group) {
    where(s -> s.group == group).forEach(this::warmUp);
  }

  /** Starts the components of a group. */
  void start(LeaderGroup group) {
    where(s -> s.group == group).forEach(this::start);
  }

  /** Warms up a component, unless it is already warm or has started. */
  void warmUp(Slot slot) {
    synchronized (lock) {
      if (reached == null
          || reached.compareTo(Phase.WARM_UP) < 0
          || slot.state != State.IDLE
          || slot.group == null
          || sealed) {
        return;
      }
      claim(slot, State.WARMING);
    }
    call(slot, ManagedComponent::warmUp, State.WARM, "get ready");
  }

  /**
   * Starts a component, if its phase has been reached and no other thread starts it.
   *
   * @throws IllegalStateException if it can't start, or if the manager has stopped meanwhile
   */
  void start(Slot slot) {
    synchronized (lock) {
      LeaderGroup group = slot.group;
      boolean may = group == null ? slot.state == State.IDLE : isReady(slot) && group.mayStart();
      if (!may || reached == null || slot.phase().compareTo(reached) > 0 || !slots.contains(slot)) {
        return;
      }
      requireUnsealed();
      claim(slot, State.STARTING);
      slot.order = ++starts;
    }
    call(slot, ManagedComponent::start, State.STARTED, "start");
  }

  private static boolean isReady(Slot slot) {
    return slot.state == State.IDLE || slot.state == State.WARM;
  }

  @GuardedBy("lock")
  private void claim(Slot slot, State state) {
    slot.state = state;
    slot.busy = Thread.currentThread();
    slot.settled = new CompletableFuture<>();
  }

  /**
   * Calls a component. A failed call may have done part of its work, so the component is stopped
   * like one whose call succeeded.
   */
  private void call(Slot slot, Call call, State after, String what) {
    try {
      call.on(slot.component);
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw new IllegalStateException(slot + " could not " + what + ": " + e.getMessage(), e);
    } finally {
      if (settle(slot, after)) {
        log.warn("{} finished its start after the stop; stopping it now", slot);
        end(slot, endings.in(Duration.ZERO));
      }
    }
  }

  /** Releases a component after a call. Returns whether a stop no longer waits for it. */
  private boolean settle(Slot slot, State state) {
    CompletableFuture<Void> settled;
    boolean late;
    synchronized (lock) {
      slot.state = state;
      slot.busy = null;
      settled = slot.settled;
      late = slot.abandoned && state != State.IDLE;
    }
    settled.complete(null);
    return late;
  }

  /** Stops a component and removes it; empty if it was not added. */
  Optional<Boolean> remove(ManagedComponent component, Duration limit) {
    Optional<Slot> slot = forget(component);
    if (slot.isEmpty()) {
      return Optional.empty();
    }
    boolean inTime = end(slot.get(), endings.in(limit));
    disconnect(slot.get());
    LeaderGroup group = slot.get().group;
    if (!inTime && group != null) {
      group.leaveToExpire();
    }
    return Optional.of(inTime);
  }

  /** Returns whether the calling thread is starting or stopping a component. */
  boolean isCalledByAComponent() {
    return !where(s -> s.busy == Thread.currentThread()).isEmpty();
  }

  /** Prevents all further starts. Returns whether this call was the first. */
  boolean seal() {
    synchronized (lock) {
      boolean first = !sealed;
      sealed = true;
      return first;
    }
  }

  /** Throws if it is too late to add a component. */
  void requireOpen() {
    if (isSealed()) {
      throw new IllegalStateException("the manager has stopped; build another one");
    }
  }

  /** Throws if the manager was stopped during its start. */
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

  /** Returns the components to stop: phases in reverse, and within each the last start first. */
  List<Slot> begun() {
    return where(s -> s.state != State.IDLE).stream().sorted(LAST_FIRST).toList();
  }

  /**
   * Stops all components except the endpoints, and closes the connections of clusters that were
   * never started.
   *
   * @param reserve the part of the time that is reserved for the components that end last
   */
  boolean endAll(long deadline, long reserve) {
    for (Slot slot : begun()) {
      if (slot.phase().compareTo(Phase.CACHES) > 0) {
        cancel(slot, endings.until(deadline - reserve));
      }
    }
    boolean inTime = true;
    for (Slot slot : begun()) {
      if (slot.phase() != Phase.HTTP) {
        boolean last = slot.phase().compareTo(Phase.CACHES) <= 0;
        inTime &= end(slot, last ? deadline : deadline - reserve);
      }
    }
    all().forEach(Components::disconnect);
    return inTime;
  }

  /**
   * Stops the remaining components: the endpoints, which answer until everything else has ended.
   */
  boolean endEndpoints(long deadline) {
    boolean inTime = true;
    for (Slot slot : begun()) {
      inTime &= end(slot, deadline);
    }
    return inTime;
  }

  private static void disconnect(Slot slot) {
    if (slot.component instanceof RemoteCluster cluster) {
      cluster.close();
    }
  }

  private static final Comparator<Slot> LAST_FIRST =
      Comparator.<Slot, Phase>comparing(Slot::phase).thenComparing(s -> s.order).reversed();

  /**
   * Cancels the components of a group, because it no longer leads, without waiting for them.
   *
   * @param limit the time within which they must end
   */
  void cancel(LeaderGroup group, Duration limit) {
    for (Slot slot : where(s -> s.group == group && s.state != State.IDLE)) {
      synchronized (lock) {
        Thread busy = slot.busy;
        if (slot.isBeginning() && busy != null && busy != Thread.currentThread()) {
          busy.interrupt(); // a start that waits must not delay its stop
        }
      }
      cancel(slot, limit);
    }
  }

  private static void cancel(Slot slot, Duration limit) {
    try {
      slot.component.cancel(limit);
    } catch (RuntimeException | Error e) {
      log.error("Failed to cancel {}; stopping it anyway", slot, OneLine.of(e));
    }
  }

  /** Stops the components of a group, the last start first. Returns whether all ended in time. */
  boolean end(LeaderGroup group, long deadline) {
    boolean ended = true;
    for (Slot slot : begun()) {
      if (slot.group == group) {
        ended &= end(slot, deadline);
      }
    }
    return ended;
  }

  /** Returns whether all components of a group are idle, and ended in time if they were stopped. */
  boolean hasEnded(LeaderGroup group) {
    return unended(group).isEmpty();
  }

  /** Returns the components of a group that are still running after their stop. */
  List<Slot> unended(LeaderGroup group) {
    return where(s -> s.group == group && (s.state != State.IDLE || !s.ended || s.abandoned));
  }

  /**
   * Stops a component, after any call that is under way. A start that hangs is interrupted after
   * half of the time and abandoned at the deadline; if it returns later, the component is stopped
   * then.
   */
  boolean end(Slot slot, long deadline) {
    if (!await(slot, deadline)) {
      log.warn("{} did not finish its start in time; abandoning it", slot);
      return false;
    }
    synchronized (lock) {
      if (slot.state == State.IDLE) {
        return slot.ended; // another thread has stopped it
      }
      if (slot.state == State.STOPPING) {
        return false; // called from its own stop
      }
      claim(slot, State.STOPPING);
    }
    boolean ended = false;
    try {
      ended = endings.end(slot, slot.component::stop, deadline);
    } finally {
      synchronized (lock) {
        slot.ended = ended;
      }
      settle(slot, State.IDLE);
    }
    return ended;
  }

  private boolean await(Slot slot, long deadline) {
    CompletableFuture<Void> settled;
    synchronized (lock) {
      if (slot.busy == null || slot.busy == Thread.currentThread()) {
        return true;
      }
      settled = slot.settled;
    }
    if (endings.await(settled, endings.until(deadline).dividedBy(2))) {
      return true;
    }
    synchronized (lock) {
      Thread busy = slot.busy;
      if (busy != null && slot.isBeginning()) {
        busy.interrupt();
      }
    }
    if (endings.await(settled, endings.until(deadline))) {
      return true;
    }
    synchronized (lock) {
      slot.abandoned = slot.busy != null;
      return !slot.abandoned;
    }
  }
}
