// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.manager.Slot.State;
import dev.windlass.object.OneLine;
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
 * The components of a manager: which there are, which may start, and which have.
 *
 * <p>The lock guards the books alone; components are called without it. Whoever is about to call
 * one enters that first ({@link Slot#state}), and only one can.
 */
final class Components {

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  /** An action on a component. */
  private interface Call {
    void on(ManagedComponent component) throws Exception;
  }

  private final Endings endings;
  private final Object lock = new Object();

  @GuardedBy("lock")
  private final List<Slot> slots = new ArrayList<>();

  @GuardedBy("lock")
  private final Map<String, ManagedComponent> names = new HashMap<>();

  /** The phase that starts, or has started last; null before the start. */
  @GuardedBy("lock")
  private @Nullable Phase reached;

  /** Whether nothing starts any more. */
  @GuardedBy("lock")
  private boolean sealed;

  @GuardedBy("lock")
  private int starts;

  Components(Endings endings) {
    this.endings = endings;
  }

  /** Refuses a name that a component has. */
  void requireFree(String name) {
    synchronized (lock) {
      if (names.containsKey(name)) {
        throw new IllegalStateException(
            name + " is there already: choose another name, or remove that component first");
      }
    }
  }

  /**
   * Adds one.
   *
   * @param name under which no other may be added; null for none
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

  /** The one of a name, if it is of a class. */
  <T> Optional<T> find(String name, Class<T> type) {
    synchronized (lock) {
      return Optional.ofNullable(names.get(name)).filter(type::isInstance).map(type::cast);
    }
  }

  /** Forgets one and its name. */
  Optional<Slot> forget(ManagedComponent component) {
    synchronized (lock) {
      names.values().remove(component);
      Optional<Slot> found = slots.stream().filter(s -> s.component == component).findFirst();
      found.ifPresent(slots::remove);
      return found;
    }
  }

  /** Opens a phase, in which components start. */
  void reach(Phase phase) {
    synchronized (lock) {
      reached = phase;
    }
  }

  /** Whether components of a phase start when they are added. */
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

  /** Starts what starts in a phase without being elected, also what is added meanwhile. */
  void startAll(Phase phase) {
    Optional<Slot> next;
    do {
      next =
          where(s -> s.phase() == phase && s.group == null && s.state == State.IDLE).stream()
              .findFirst();
      next.ifPresent(this::start);
    } while (next.isPresent());
  }

  /** All of them, started or not. */
  List<Slot> all() {
    return where(slot -> true);
  }

  /** Warms up what a group starts when it leads. */
  void warmUp(LeaderGroup group) {
    where(s -> s.group == group).forEach(this::warmUp);
  }

  /** Starts what a group starts when it leads. */
  void start(LeaderGroup group) {
    where(s -> s.group == group).forEach(this::start);
  }

  /** Warms it up, unless that was done, or it has started. */
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
   * Starts it, if its time has come and nobody else does.
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

  /** What fails may have done half of it, and is stopped like what did not. */
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
        log.warn("{} has returned from its start after the stop; it is stopped now", slot);
        end(slot, endings.in(Duration.ZERO));
      }
    }
  }

  /** Nobody is busy with it any more. Whether it is too late for it. */
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

  /** Stops one that was added, and forgets it; empty if it was not. */
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

  /** Whether the caller is in the middle of a component's start or stop. */
  boolean isCalledByAComponent() {
    return !where(s -> s.busy == Thread.currentThread()).isEmpty();
  }

  /** Nothing starts from now on; whether this call did that. */
  boolean seal() {
    synchronized (lock) {
      boolean first = !sealed;
      sealed = true;
      return first;
    }
  }

  /** Tells whoever adds something that it is too late for that. */
  void requireOpen() {
    if (isSealed()) {
      throw new IllegalStateException("the manager has stopped; build another one");
    }
  }

  /** Tells whoever starts something that there was a stop meanwhile. */
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

  /** What is to be stopped: the phases backwards, and within each the last start first. */
  List<Slot> begun() {
    return where(s -> s.state != State.IDLE).stream().sorted(LAST_FIRST).toList();
  }

  /**
   * Ends all of them but the endpoints, and what a cluster has that was never started: its
   * connections.
   *
   * @param reserve the last part of the time, which is kept for what ends last
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

  /** Ends what is left: the endpoints, which answer until everything else has ended. */
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
   * Tells those of a group that it leads no longer, without waiting for them.
   *
   * @param limit how long they have
   */
  void cancel(LeaderGroup group, Duration limit) {
    for (Slot slot : where(s -> s.group == group && s.state != State.IDLE)) {
      synchronized (lock) {
        Thread busy = slot.busy;
        if (slot.isBeginning() && busy != null && busy != Thread.currentThread()) {
          busy.interrupt(); // whatever it waits for must not keep it from being stopped
        }
      }
      cancel(slot, limit);
    }
  }

  private static void cancel(Slot slot, Duration limit) {
    try {
      slot.component.cancel(limit);
    } catch (RuntimeException | Error e) {
      log.error("{} could not be cancelled; it is stopped all the same", slot, OneLine.of(e));
    }
  }

  /** Stops those of a group, the last start first; whether all ended in time. */
  boolean end(LeaderGroup group, long deadline) {
    boolean ended = true;
    for (Slot slot : begun()) {
      if (slot.group == group) {
        ended &= end(slot, deadline);
      }
    }
    return ended;
  }

  /** Whether all of a group that was ever stopped came to an end in time, and the rest is idle. */
  boolean hasEnded(LeaderGroup group) {
    return unended(group).isEmpty();
  }

  /** The components of a group that go on after their stop. */
  List<Slot> unended(LeaderGroup group) {
    return where(s -> s.group == group && (s.state != State.IDLE || !s.ended || s.abandoned));
  }

  /**
   * Stops one, after whoever is busy with it. A start that hangs is interrupted when half of the
   * time is over, and left behind at the deadline; it is stopped should it ever return.
   */
  boolean end(Slot slot, long deadline) {
    if (!await(slot, deadline)) {
      log.warn("{} has not returned from its start in time, and is left behind", slot);
      return false;
    }
    synchronized (lock) {
      if (slot.state == State.IDLE) {
        return slot.ended; // somebody else has stopped it
      }
      if (slot.state == State.STOPPING) {
        return false; // it asks itself for what is under way
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
