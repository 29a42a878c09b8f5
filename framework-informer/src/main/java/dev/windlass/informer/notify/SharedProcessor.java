// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Delivers each event to every handler. Each handler has its own lane, which consists of a queue of
 * pending events and a thread that calls the handler.
 *
 * <ul>
 *   <li>A handler that has joined receives every event. Events for one object are delivered in the
 *       order in which they were distributed. All handlers receive the same event instances.
 *   <li>A slow, blocked or failing handler does not affect other handlers or the thread that
 *       distributes events. A lane does not hold a lock while it calls its handler.
 *   <li>The number of pending events in a lane is limited. Beyond the limit, the lane compacts the
 *       events for each object; see {@link PendingEvents}.
 *   <li>A removed handler and its pending events can be garbage-collected.
 * </ul>
 *
 * <p>The delta applier is the thread that applies changes to the cache. While the informer is
 * running, only this thread calls {@link #distribute}, {@link #initialListSent}, and the lanes'
 * {@code join} and {@code add}. A handler that joins late therefore receives the existing objects
 * and all later events, without gaps or duplicates. All other methods can be called from any
 * thread.
 *
 * @param <T> the Java class of the objects
 */
public final class SharedProcessor<T> {

  private final String name;
  private final Scheduler scheduler;
  private final ThreadFactory threads;
  private final int bound;

  /** The lanes that have joined. */
  private final CopyOnWriteArrayList<Lane> lanes = new CopyOnWriteArrayList<>();

  /**
   * The lanes that have been started, including those that have not joined yet. A removed lane
   * remains in this list until its thread terminates.
   */
  private final CopyOnWriteArrayList<Lane> started = new CopyOnWriteArrayList<>();

  private final AtomicInteger numbers = new AtomicInteger();

  /**
   * Creates a processor without handlers.
   *
   * @param name the prefix of the thread names
   */
  public SharedProcessor(String name, Scheduler scheduler, ThreadFactory threads) {
    this(name, scheduler, threads, HandlerLane.BOUND);
  }

  /**
   * Creates a processor with the given bound on pending events. Tests of a complete informer use a
   * small bound, because they cannot reach {@link HandlerLane#BOUND}.
   */
  SharedProcessor(String name, Scheduler scheduler, ThreadFactory threads, int bound) {
    this.name = name;
    this.scheduler = scheduler;
    this.threads = threads;
    this.bound = bound;
  }

  /**
   * The lane of one handler. It contains the pending events and the loop that calls the handler.
   */
  public final class Lane implements HandlerRegistration {
    private final HandlerLane<T> lane;
    private final Loop loop;

    private Lane(ResourceEventHandler<T> handler) {
      lane = new HandlerLane<>(handler, scheduler, bound);
      loop = new Loop(name + "-handler-" + numbers.incrementAndGet(), lane, scheduler, threads);
      lane.onReadable(loop::wake);
    }

    /**
     * Delivers the existing objects to the handler, followed by every new event. Only the delta
     * applier calls this method.
     *
     * @param initial the events for the existing objects
     * @param complete whether these events represent the complete initial list; if false, the delta
     *     applier calls {@link #initialListSent} later
     */
    public void join(List<ResourceEvent<T>> initial, boolean complete) {
      lane.add(initial);
      lanes.addIfAbsent(this);
      if (isRemoved()) {
        lanes.remove(this); // remove() was called earlier and did not find this lane
      }
      if (complete) {
        lane.initialListSent();
      }
    }

    /** Delivers an event to this handler only. The delta applier calls this method. */
    public void add(ResourceEvent<T> event) {
      lane.add(List.of(event));
    }

    /**
     * Starts the thread that calls the handler. A second call has no effect, unless the first call
     * failed to create the thread.
     */
    public void start() {
      started.removeIf(Lane::isOver);
      if (!isRemoved() && !started.contains(this)) {
        loop.start();
        started.add(this);
      }
    }

    private boolean isOver() {
      return isRemoved() && !loop.isRunning();
    }

    /** Returns whether {@link #remove} has been called. */
    public boolean isRemoved() {
      return lane.isRemoved();
    }

    /** Returns the loop that calls the handler. Health checks use this method. */
    public Loop loop() {
      return loop;
    }

    @Override
    public String name() {
      return loop.name();
    }

    @Override
    public boolean hasSynced() {
      return lane.hasSynced();
    }

    @Override
    public int backlog() {
      return lane.backlog();
    }

    @Override
    public Duration lag() {
      return lane.lag();
    }

    @Override
    public long delivered() {
      return lane.delivered();
    }

    @Override
    public long failures() {
      return lane.failures();
    }

    @Override
    public void remove() {
      lane.remove();
      lanes.remove(this);
      loop.stop();
    }
  }

  /**
   * Creates a lane for a handler. The handler receives no events until {@link Lane#join} is called.
   */
  public Lane lane(ResourceEventHandler<T> handler) {
    return new Lane(handler);
  }

  /** Delivers events to all handlers that have joined. This method never blocks. */
  public void distribute(List<ResourceEvent<T>> events) {
    for (Lane lane : lanes) {
      lane.lane.add(events);
    }
  }

  /** Informs all lanes that have joined about the end of the initial list. */
  public void initialListSent() {
    for (Lane lane : lanes) {
      lane.lane.initialListSent();
    }
  }

  /**
   * Returns the registrations of all handlers that have been started and not removed, in the order
   * in which they were started.
   */
  public List<HandlerRegistration> handlers() {
    return started.stream()
        .filter(lane -> !lane.isRemoved())
        .<HandlerRegistration>map(lane -> lane)
        .toList();
  }

  /** Signals each lane to stop after the call in progress, and returns immediately. */
  public void askToStop() {
    started.forEach(lane -> lane.loop.stop());
  }

  /** Returns the loops whose threads have not terminated, including the loops of removed lanes. */
  public List<Loop> runningLoops() {
    return started.stream().map(Lane::loop).filter(Loop::isRunning).toList();
  }

  /**
   * Stops all lanes. The remaining events are not delivered.
   *
   * @param limit the time limit for all lanes together
   * @return whether all lanes stopped within the limit
   * @throws InterruptedException if the caller is interrupted while it waits
   */
  public boolean stop(Duration limit) throws InterruptedException {
    askToStop();
    Deadline deadline = Deadline.in(limit, scheduler);
    boolean ended = true;
    for (Lane lane : started) {
      ended &= lane.loop.join(deadline.left());
    }
    return ended;
  }
}
