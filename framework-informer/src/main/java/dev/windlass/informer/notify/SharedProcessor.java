// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.time.Loop;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hands each event to every handler, in a lane and on a thread of its own.
 *
 * <ul>
 *   <li>Each handler that has joined gets each event, and one of one object in the order in which
 *       they were distributed. One event object is shared by all of them.
 *   <li>No handler can delay, block or break another, nor whoever distributes: nothing waits for a
 *       handler but its own lane, and no handler is called under a lock.
 *   <li>What waits in a lane is bounded by the number of objects: see {@link PendingEvents}.
 *   <li>A handler that is removed is forgotten with all that waited for it.
 * </ul>
 *
 * <p>{@link #distribute}, {@link #initialListSent} and the lanes' {@code join} and {@code add} are
 * called by one thread, the delta applier's; that is what keeps a late handler's replay free of
 * gaps and doubles. Everything else may be called by any thread.
 *
 * @param <T> the typed class of the objects
 */
public final class SharedProcessor<T> {

  private final String name;
  private final Scheduler scheduler;
  private final ThreadFactory threads;
  private final int bound;

  /** Those that have joined. */
  private final CopyOnWriteArrayList<Lane> lanes = new CopyOnWriteArrayList<>();

  /** Those that have a thread, joined or not; also removed ones, as long as that is not over. */
  private final CopyOnWriteArrayList<Lane> started = new CopyOnWriteArrayList<>();

  private final AtomicInteger numbers = new AtomicInteger();

  /**
   * A processor without handlers.
   *
   * @param name prefix of the threads' names
   */
  public SharedProcessor(String name, Scheduler scheduler, ThreadFactory threads) {
    this(name, scheduler, threads, HandlerLane.BOUND);
  }

  /** A processor with another bound, so that tests of the whole chain reach it. */
  SharedProcessor(String name, Scheduler scheduler, ThreadFactory threads, int bound) {
    this.name = name;
    this.scheduler = scheduler;
    this.threads = threads;
    this.bound = bound;
  }

  /** A handler with its lane and loop. */
  public final class Lane implements HandlerRegistration {
    private final HandlerLane<T> lane;
    private final Loop loop;

    private Lane(ResourceEventHandler<T> handler) {
      lane = new HandlerLane<>(handler, scheduler, bound);
      loop = new Loop(name + "-handler-" + numbers.incrementAndGet(), lane, scheduler, threads);
      lane.onReadable(loop::wake);
    }

    /**
     * Shows the handler what there is, and from now on what happens. Called by the applier, again
     * if it throws; the handler may then hear of some objects twice.
     *
     * @param initial what the handler has to catch up with
     * @param complete whether that is the whole first list; else {@link #initialListSent} follows
     */
    public void join(List<ResourceEvent<T>> initial, boolean complete) {
      lane.endBatch(); // a replay that broke off is another batch
      lane.add(initial);
      lane.endBatch();
      lanes.addIfAbsent(this);
      if (isRemoved()) {
        lanes.remove(this); // remove() came before and found nothing
      }
      if (complete) {
        lane.initialListSent();
      }
    }

    /** Shows an event to this handler alone. Called by the applier. */
    public void add(ResourceEvent<T> event) {
      lane.add(event);
    }

    /** Starts the calls; once, but again if it threw for want of a thread. */
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

    /** Whether {@link #remove} was called. */
    public boolean isRemoved() {
      return lane.isRemoved();
    }

    /** The loop that calls the handler, for health and for stopping. */
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

  /** A lane for the handler, which hears nothing until the lane has joined. */
  public Lane lane(ResourceEventHandler<T> handler) {
    return new Lane(handler);
  }

  /**
   * Hands events to all who have joined. Never blocks. If it throws, some may have them and others
   * not: call it again with the same events before anything else, and nobody gets one twice.
   */
  public void distribute(List<ResourceEvent<T>> events) {
    for (Lane lane : lanes) {
      lane.lane.add(events);
    }
    for (Lane lane : lanes) {
      lane.lane.endBatch();
    }
  }

  /** Tells all who have joined that the first list is complete. May be repeated. */
  public void initialListSent() {
    for (Lane lane : lanes) {
      lane.lane.initialListSent();
    }
  }

  /** Those that are being called, in the order in which they were started. */
  public List<HandlerRegistration> handlers() {
    return started.stream()
        .filter(lane -> !lane.isRemoved())
        .<HandlerRegistration>map(lane -> lane)
        .toList();
  }

  /** Asks all lanes to stop after the call that is running, and returns at once. */
  public void askToStop() {
    started.forEach(lane -> lane.loop.stop());
  }

  /** The loops whose threads have not ended, those of removed lanes included. */
  public List<Loop> runningLoops() {
    return started.stream().map(Lane::loop).filter(Loop::isRunning).toList();
  }

  /**
   * Stops all lanes; what waits is dropped.
   *
   * @param limit for all of them together
   * @return whether every running call ended in time
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
