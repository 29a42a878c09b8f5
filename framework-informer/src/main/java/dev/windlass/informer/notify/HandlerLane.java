// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.object.OneLine;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.time.Step;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One handler's lane: its waiting events, and the {@link Step} that hands them over.
 *
 * <p>Whoever adds is never blocked, whatever the handler does: the handler is called without any
 * lock, so it may block, remove itself, and add others. What it throws, an {@link Error} included,
 * costs it that event and a rest of {@link Loop#AFTER_FAILURE}, and nobody else anything (002-40).
 *
 * <p>"Synced" means handled: behind the last event of the first list stands a mark, and the lane is
 * synced when it meets the mark. An event that the handler threw on counts as handled, so one bad
 * object does not hold the whole program up.
 *
 * <p>A removed lane holds nothing: no event and no handler.
 *
 * <p>One thread adds, the delta applier's; one takes steps; the rest may be called by any.
 */
final class HandlerLane<T> implements Step {

  /** Up to so many waiting events are kept one by one: 1,024 (client-go's first ring, 002-36). */
  static final int BOUND = 1024;

  /** Events per step, so that a busy lane does not keep its loop from being stopped. */
  private static final int BATCH = 100;

  private static final Logger log = LoggerFactory.getLogger(SharedProcessor.class);

  /** Null when the lane was removed. */
  private volatile @Nullable ResourceEventHandler<T> handler;

  private final Scheduler scheduler;
  private final PendingEvents<T> pending;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile Runnable wakeUp = () -> {};
  private volatile boolean synced;

  /** When the pause after a failure ends; wake-ups must not cut it short. */
  private long restUntil;

  HandlerLane(ResourceEventHandler<T> handler, Scheduler scheduler) {
    this(handler, scheduler, BOUND);
  }

  HandlerLane(ResourceEventHandler<T> handler, Scheduler scheduler, int bound) {
    this.handler = handler;
    this.scheduler = scheduler;
    this.pending = new PendingEvents<>(bound);
    this.restUntil = scheduler.nanoTime();
  }

  void onReadable(Runnable action) {
    wakeUp = action;
  }

  /** Takes an event in. */
  void add(ResourceEvent<T> event) {
    if (pending.add(event, scheduler.nanoTime())) {
      wakeUp.run(); // else the step will come past it, as it goes on until nothing waits
    }
  }

  /** Takes events in, with one lock and one wake-up; see {@link PendingEvents#add(List, long)}. */
  void add(List<ResourceEvent<T>> batch) {
    if (pending.add(batch, scheduler.nanoTime())) {
      wakeUp.run();
    }
  }

  /** Says that the batch is in everywhere. */
  void endBatch() {
    pending.endBatch();
  }

  /** Says that everything of the first list has been added. Called by the thread that adds. */
  void initialListSent() {
    pending.addMark(scheduler.nanoTime());
    wakeUp.run();
  }

  boolean hasSynced() {
    return synced;
  }

  int backlog() {
    return pending.size();
  }

  Duration lag() {
    return Duration.ofNanos(pending.age(scheduler.nanoTime()));
  }

  long delivered() {
    return delivered.get();
  }

  long failures() {
    return failures.get();
  }

  boolean isRemoved() {
    return handler == null;
  }

  void remove() {
    handler = null;
    pending.close();
  }

  @Override
  public Pause run() {
    long left = restUntil - scheduler.nanoTime();
    if (left > 0 && !isRemoved()) {
      return Pause.of(Duration.ofNanos(left));
    }
    for (int i = 0; i < BATCH; i++) {
      EventChain.Slot<T> slot = pending.take();
      ResourceEventHandler<T> called = handler; // read after taking, see below
      if (called == null) {
        pending.close(); // remove() may have come before what was just taken into the hand
        return Pause.UNTIL_WOKEN;
      }
      if (slot == null) {
        return Pause.UNTIL_WOKEN;
      }
      ResourceEvent<T> event = slot.event();
      if (event == null) {
        synced = true;
        pending.done(slot);
      } else if (!handle(called, event, slot)) {
        return Pause.of(Loop.AFTER_FAILURE);
      }
    }
    return Pause.NONE;
  }

  /** Whether the handler could cope with the event, which is done either way. */
  private boolean handle(
      ResourceEventHandler<T> called, ResourceEvent<T> event, EventChain.Slot<T> slot) {
    boolean handled = false;
    try {
      called.handle(event);
      handled = true;
    } catch (Exception | Error e) { // here, and not in the loop, which does not know the object
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      log.error("A handler failed on {} and goes on", event.object(), OneLine.of(e));
    } finally {
      pending.done(slot);
      delivered.incrementAndGet();
      if (!handled) {
        failures.incrementAndGet();
        restUntil = scheduler.nanoTime() + Loop.AFTER_FAILURE.toNanos();
      }
    }
    return handled;
  }
}
