// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import dev.windlass.time.Scheduler;
import dev.windlass.time.Step;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One handler's lane: its waiting events, and the {@link Step} that hands them over.
 *
 * <p>"Synced" means handled: behind the last event of the first list stands a mark, and the lane is
 * synced when it meets the mark. An event that the handler threw on counts as handled, so one bad
 * object does not hold the whole program up.
 */
final class HandlerLane<T> implements Step {

  /** Up to so many waiting events are kept one by one. */
  static final int BOUND = 1024;

  /** Events per step, so that a busy lane does not keep its loop from being stopped. */
  private static final int BATCH = 100;

  private static final Logger log = LoggerFactory.getLogger(SharedProcessor.class);

  private final ResourceEventHandler<T> handler;
  private final Scheduler scheduler;
  private final PendingEvents<T> pending = new PendingEvents<>(BOUND);
  private volatile Runnable wakeUp = () -> {};
  private volatile boolean synced;
  private volatile boolean removed;

  /** When the pause after a failure ends; wake-ups must not cut it short. */
  private long restUntil;

  HandlerLane(ResourceEventHandler<T> handler, Scheduler scheduler) {
    this.handler = handler;
    this.scheduler = scheduler;
    this.restUntil = scheduler.nanoTime();
  }

  void onReadable(Runnable action) {
    wakeUp = action;
  }

  /** Takes an event in. Called by one thread, the delta applier's. */
  void add(ResourceEvent<T> event) {
    if (!removed) {
      pending.add(event);
      wakeUp.run();
    }
  }

  /** Says that everything of the first list has been added. Called by the thread that adds. */
  void initialListSent() {
    pending.addMark();
    wakeUp.run();
  }

  boolean hasSynced() {
    return synced;
  }

  int backlog() {
    return pending.size();
  }

  boolean isRemoved() {
    return removed;
  }

  void remove() {
    removed = true;
    pending.clear();
  }

  @Override
  public Pause run() {
    long left = restUntil - scheduler.nanoTime();
    if (left > 0 && !removed) {
      return Pause.of(Duration.ofNanos(left));
    }
    for (int i = 0; i < BATCH; i++) {
      PendingEvents.Slot<T> slot = removed ? null : pending.poll();
      if (slot == null) {
        return Pause.UNTIL_WOKEN;
      }
      ResourceEvent<T> event = slot.event();
      if (event == null) {
        synced = true;
        continue;
      }
      boolean handled = false;
      try {
        handler.handle(event);
        handled = true;
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        log.error("A handler failed on {}; it goes on with the next event", event.object(), e);
        return Pause.of(Loop.AFTER_FAILURE);
      } finally {
        if (!handled) {
          restUntil = scheduler.nanoTime() + Loop.AFTER_FAILURE.toNanos();
        }
      }
    }
    return Pause.NONE;
  }
}
