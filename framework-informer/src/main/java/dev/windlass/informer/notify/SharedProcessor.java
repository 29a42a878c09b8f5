// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Delivers each event to every handler. Each handler has its own lane: a queue of pending events,
 * and a thread that calls the handler.
 *
 * <ul>
 *   <li>Each handler that has joined receives every event. It receives the events for one object in
 *       the order in which they were distributed. All handlers share the same event object.
 *   <li>A handler cannot delay or block another handler or the thread that distributes events, or
 *       cause them to fail. Only the handler's own lane waits for it, and no lane calls a handler
 *       under a lock.
 *   <li>The number of pending events in a lane is limited by the number of objects; see {@link
 *       PendingEvents}.
 *   <li>A removed handler is released, together with its pending events.
 * </ul>
 *
 * <p>Once the informer runs, only the delta applier, which is the thread that applies changes to
 * the cache, calls {@link #distribute}, {@link #initialListSent} and the lanes' {@code join} and
 * {@code add}. A handler that joins late therefore receives the existing objects and all later
 * events without gaps or duplicates. All other methods can be called from any thread.
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
   * The lanes that have a thread, including lanes that have not yet started to receive events. A
   * removed lane remains in this list until its thread terminates.
   */
  private final CopyOnWriteArrayList<Lane> started = new CopyOnWriteArrayList<>();

  private final AtomicInteger numbers = new AtomicInteger();

  /** The number of the batch of events that is delivered next. Only the delta applier uses it. */
  private long batch;

  /**
   * Creates a processor without handlers.
   *
   * @param name the prefix of the thread names
   */
  public SharedProcessor(String name, Scheduler scheduler, ThreadFactory threads) {
    this(name, scheduler, threads, HandlerLane.BOUND);
  }

  /**
   * Creates a processor with the given bound on pending events. Tests that run a whole informer use
   * a small bound so that they can reach it.
   */
  SharedProcessor(String name, Scheduler scheduler, ThreadFactory threads, int bound) {
    this.name = name;
    this.scheduler = scheduler;
    this.threads = threads;
    this.bound = bound;
  }

  /** One handler's lane: its pending events, and the loop that calls the handler. */
  public final class Lane implements HandlerRegistration {
    private final HandlerLane<T> lane;
    private final Loop loop;

    private Lane(ResourceEventHandler<T> handler) {
      lane = new HandlerLane<>(handler, scheduler, bound);
      loop = new Loop(name + "-handler-" + numbers.incrementAndGet(), lane, scheduler, threads);
      lane.onReadable(loop::wake);
    }

    /**
     * Delivers the existing objects to the handler and, from now on, every event. The delta applier
     * calls this method, and calls it again if it throws an exception. In that case, the handler
     * can receive some objects twice.
     *
     * @param initial the events for the existing objects
     * @param complete whether the events are the whole first list; otherwise, the delta applier
     *     calls {@link #initialListSent} later
     */
    public void join(List<ResourceEvent<T>> initial, boolean complete) {
      initial.forEach(lane::add);
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
      lane.add(event);
    }

    /**
     * Starts the thread that calls the handler. A second call has no effect, unless the first call
     * threw an exception because a thread could not be created.
     */
    public void start() {
      started.removeIf(Lane::isOver);
      if (isRemoved() || !started.addIfAbsent(this)) {
        return;
      }
      boolean running = false;
      try {
        loop.start();
        running = true;
      } finally {
        if (!running) {
          started.remove(this);
        }
      }
    }

    private boolean isOver() {
      return isRemoved() && !loop.isRunning();
    }

    /** Returns whether {@link #remove} was called. */
    public boolean isRemoved() {
      return lane.isRemoved();
    }

    /** Returns the loop that calls the handler, for health checks and for stopping. */
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
   * Creates a lane for a handler. The handler does not receive events until the lane has joined.
   */
  public Lane lane(ResourceEventHandler<T> handler) {
    return new Lane(handler);
  }

  /**
   * Delivers events to all handlers that have joined. Never blocks. If this method throws an
   * exception, some handlers may not have received the events. The caller must then repeat the call
   * with the same events before it makes any other call. Handlers do not receive an event twice
   * because of a repeated call.
   */
  public void distribute(List<ResourceEvent<T>> events) {
    for (Lane lane : lanes) {
      lane.lane.add(events, batch);
    }
    batch++; // must come last: a call that is repeated after a failure delivers the same batch
  }

  /**
   * Notifies all lanes that have joined that the first list is complete. This method can be called
   * repeatedly.
   */
  public void initialListSent() {
    for (Lane lane : lanes) {
      lane.lane.initialListSent();
    }
  }

  /** Returns the active handlers, in the order in which they were started. */
  public List<HandlerRegistration> handlers() {
    return started.stream()
        .filter(lane -> !lane.isRemoved())
        .<HandlerRegistration>map(lane -> lane)
        .toList();
  }

  /** Signals all lanes to stop after the call in progress, and returns immediately. */
  public void askToStop() {
    started.forEach(lane -> lane.loop.stop());
  }

  /** Returns the loops whose threads have not terminated, including the loops of removed lanes. */
  public List<Loop> runningLoops() {
    return started.stream().map(Lane::loop).filter(Loop::isRunning).toList();
  }

  /**
   * Stops all lanes and drops pending events.
   *
   * @param limit the time limit for all lanes together
   * @return whether every call in progress returned within the limit
   * @throws InterruptedException if the caller was interrupted while it waited
   */
  public boolean stop(Duration limit) throws InterruptedException {
    askToStop();
    long deadline = scheduler.nanoTime() + Scheduler.saturatedNanos(limit);
    boolean ended = true;
    for (Lane lane : started) {
      ended &= lane.loop.join(Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime())));
    }
    return ended;
  }
}
