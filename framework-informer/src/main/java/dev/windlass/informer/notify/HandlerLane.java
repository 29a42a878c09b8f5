// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.notify;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lane of one handler. It contains the handler's pending events, and is the {@link LoopStep}
 * that delivers them.
 *
 * <p>A handler never blocks the thread that adds events. The lane does not hold a lock while it
 * calls the handler. The handler can therefore block, remove itself, and add other handlers. If a
 * handler throws an exception, even a non-fatal {@link Error}, it loses that event, and the lane
 * pauses for {@link Loop#AFTER_FAILURE}. Other handlers are not affected.
 *
 * <p>A lane is synced when its handler has processed the initial list. A mark follows the last
 * event of the initial list. The lane becomes synced when it takes the mark. If the handler throws
 * an exception, the event nevertheless counts as processed. Otherwise, one invalid object could
 * block the whole program.
 *
 * <p>A removed lane does not refer to any events or to its handler.
 *
 * <p>Only the delta applier's thread adds events, and only one thread calls {@link #run}. All other
 * methods can be called from any thread.
 */
final class HandlerLane<T> implements LoopStep {

  /**
   * The number of pending events at which compaction starts: 1,024, which is the initial size of
   * client-go's ring buffer.
   */
  static final int BOUND = 1024;

  /**
   * The maximum number of events per step: 100. The limit ensures that a busy lane can be stopped.
   */
  private static final int BATCH = 100;

  private static final Logger log = LoggerFactory.getLogger(SharedProcessor.class);

  /** The handler, or null after the lane has been removed. */
  private volatile @Nullable ResourceEventHandler<T> handler;

  private final Scheduler scheduler;
  private final PendingEvents<T> pending;
  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private volatile Runnable wakeUp = () -> {};
  private volatile boolean synced;

  /**
   * The time at which the pause after a failure ends, in nanoseconds on the scheduler's clock. A
   * wake-up must not shorten the pause.
   */
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

  /** Adds events. Acquires the lock only once and causes at most one wake-up. */
  void add(List<ResourceEvent<T>> events) {
    if (pending.add(events, scheduler.nanoTime())) {
      wakeUp.run(); // otherwise the step is running and continues until nothing is pending
    }
  }

  /**
   * Records that all events of the initial list have been added. Only the thread that adds events
   * may call this method.
   */
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
  public StepDelay run() {
    long left = restUntil - scheduler.nanoTime();
    if (left > 0 && !isRemoved()) {
      return StepDelay.of(Duration.ofNanos(left));
    }
    for (int i = 0; i < BATCH; i++) {
      CompactingEventList.Slot<T> slot = pending.take();
      ResourceEventHandler<T> called = handler; // must be read after take(); see below
      if (called == null) {
        pending.close(); // remove() may have been called before this slot was taken
        return StepDelay.UNTIL_WOKEN;
      }
      if (slot == null) {
        return StepDelay.UNTIL_WOKEN;
      }
      ResourceEvent<T> event = slot.event();
      if (event == null) {
        synced = true;
        pending.done(slot);
      } else if (!handle(called, event, slot)) {
        return StepDelay.of(Loop.AFTER_FAILURE);
      }
    }
    return StepDelay.NONE;
  }

  /**
   * Calls the handler and returns whether it succeeded. In both cases, the event counts as
   * processed.
   */
  private boolean handle(
      ResourceEventHandler<T> called, ResourceEvent<T> event, CompactingEventList.Slot<T> slot) {
    try {
      called.handle(event);
      return true;
    } catch (Exception | Error e) { // caught here, so that the log line can name the object
      FatalErrors.rethrow(e);
      failures.incrementAndGet();
      restUntil = scheduler.nanoTime() + Loop.AFTER_FAILURE.toNanos();
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      log.error(
          "A handler failed on {}; continuing with the next event", event.object(), OneLine.of(e));
      return false;
    } finally {
      pending.done(slot);
      delivered.incrementAndGet();
    }
  }
}
