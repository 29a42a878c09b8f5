// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue itself: one lock around three places where a key can be.
 *
 * <p>A key is <em>delayed</em>, <em>ready</em> or <em>in work</em>. An add moves it from delayed to
 * ready. A key in work is never ready at the same time: an add while it is in work is noted beside
 * it ({@code again}) and turns into ready when the worker gives it back. That note is all that
 * exclusiveness needs, and it can't be lost, because giving back and adding hold the same lock.
 *
 * <p>One alarm is set at most, for the earliest deadline of the delayed keys.
 */
final class DefaultWorkQueue<T> implements WorkQueue<T> {

  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

  /** How long a key waits when its rate limiter can't say. */
  private static final Duration WITHOUT_LIMITER = Duration.ofSeconds(1);

  private final String name;
  private final RateLimiter<T> rateLimiter;
  private final Scheduler scheduler;
  private final WorkQueueListener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition readyOrShutDown = lock.newCondition();

  @GuardedBy("lock")
  private final ReadyQueue<T> ready = new ReadyQueue<>();

  @GuardedBy("lock")
  private final DelayHeap<T> delays = new DelayHeap<>();

  /** Keys in work. */
  @GuardedBy("lock")
  private final Map<T, InWork> inWork = new HashMap<>();

  @GuardedBy("lock")
  private boolean shutDown;

  @GuardedBy("lock")
  private Scheduler.@Nullable Alarm alarm;

  /** When the alarm rings; only meaningful while there is one. */
  @GuardedBy("lock")
  private long alarmAt;

  DefaultWorkQueue(WorkQueueOptions<T> options) {
    name = options.name();
    rateLimiter = options.rateLimiter();
    scheduler = options.scheduler();
    listener = options.listener();
  }

  @Override
  public void add(T key, Priority priority) {
    Objects.requireNonNull(key, "a null key can't be queued");
    boolean added;
    lock.lock();
    try {
      added = !shutDown && makeReadyLocked(key, priority);
    } finally {
      lock.unlock();
    }
    if (added) {
      tell(listener::added);
    }
  }

  @Override
  public void addAfter(T key, Duration delay, Priority priority) {
    Objects.requireNonNull(key, "a null key can't be queued");
    if (delay.isNegative() || delay.isZero()) {
      add(key, priority);
      return;
    }
    lock.lock();
    try {
      if (shutDown) {
        return;
      }
      if (!isWaitingLocked(key)) {
        delays.add(key, priority, scheduler.nanoTime() + Scheduler.saturatedNanos(delay));
        setAlarmLocked();
      }
    } finally {
      lock.unlock();
    }
    tell(listener::retried);
  }

  @Override
  public void addRateLimited(T key, Priority priority) {
    addAfter(key, backOff(key), priority);
  }

  /** What the limiter says; should it fail, the key must not be lost for that. */
  private Duration backOff(T key) {
    try {
      return rateLimiter.next(key);
    } catch (RuntimeException | Error e) {
      log.error("The rate limiter of {} failed; the key waits {}", this, WITHOUT_LIMITER, e);
      return WITHOUT_LIMITER;
    }
  }

  @Override
  public void forget(T key) {
    try {
      rateLimiter.forget(key);
    } catch (RuntimeException | Error e) {
      log.error("The rate limiter of {} failed to forget a key; the queue goes on", this, e);
    }
  }

  @Override
  public int retries(T key) {
    return rateLimiter.retries(key);
  }

  @Override
  public int length() {
    lock.lock();
    try {
      return ready.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int delayed() {
    lock.lock();
    try {
      return delays.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<WorkItem<T>> poll() {
    WorkItem<T> item;
    lock.lock();
    try {
      item = handOutLocked();
    } finally {
      lock.unlock();
    }
    return announced(item);
  }

  @Override
  public Optional<WorkItem<T>> take() throws InterruptedException {
    WorkItem<T> item;
    lock.lockInterruptibly();
    try {
      while ((item = handOutLocked()) == null && !shutDown) {
        readyOrShutDown.await();
      }
    } finally {
      lock.unlock();
    }
    return announced(item);
  }

  @Override
  public void shutDown() {
    lock.lock();
    try {
      shutDown = true;
      delays.clear();
      setAlarmLocked();
      readyOrShutDown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isShutDown() {
    lock.lock();
    try {
      return shutDown;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "WorkQueue " + name;
  }

  /** Whether the key needs no delay, because its next hand-out comes anyway. */
  @GuardedBy("lock")
  private boolean isWaitingLocked(T key) {
    InWork working = inWork.get(key);
    return working != null ? working.again != null : ready.contains(key);
  }

  /** Makes the key ready, or notes it beside the worker that has it. True if newly ready. */
  @GuardedBy("lock")
  private boolean makeReadyLocked(T key, Priority priority) {
    DelayHeap.Delayed<T> delayed = delays.remove(key);
    Priority best = delayed == null ? priority : delayed.priority().orMoreUrgent(priority);
    if (delayed != null) {
      setAlarmLocked();
    }
    InWork working = inWork.get(key);
    if (working != null) {
      working.again = working.again == null ? best : working.again.orMoreUrgent(best);
      return false;
    }
    return offerLocked(key, best);
  }

  @GuardedBy("lock")
  private boolean offerLocked(T key, Priority priority) {
    boolean added = ready.add(key, priority, scheduler.nanoTime());
    if (added) {
      readyOrShutDown.signal();
    }
    return added;
  }

  @GuardedBy("lock")
  private @Nullable WorkItem<T> handOutLocked() {
    ReadyQueue.Ready<T> next = ready.poll();
    if (next == null) {
      return null;
    }
    long now = scheduler.nanoTime();
    inWork.put(next.key(), new InWork(now));
    return new HandedOut(next, Duration.ofNanos(now - next.readySince()));
  }

  private Optional<WorkItem<T>> announced(@Nullable WorkItem<T> item) {
    if (item != null) {
      tell(() -> listener.taken(item.waited()));
    }
    return Optional.ofNullable(item);
  }

  private void giveBack(T key) {
    boolean added = false;
    long worked = 0;
    lock.lock();
    try {
      InWork working = inWork.remove(key);
      if (working != null) {
        worked = scheduler.nanoTime() - working.since;
        added = working.again != null && offerLocked(key, working.again);
      }
    } finally {
      lock.unlock();
    }
    Duration duration = Duration.ofNanos(worked);
    tell(() -> listener.finished(duration));
    if (added) {
      tell(listener::added);
    }
  }

  private void alarmRang() {
    int added = 0;
    lock.lock();
    try {
      if (alarm != null) {
        alarm.cancel(); // another one, if this one rang while it was being called off
        alarm = null;
      }
      long now = scheduler.nanoTime();
      DelayHeap.Delayed<T> due;
      while ((due = delays.pollDue(now)) != null) {
        added += makeReadyLocked(due.key(), due.priority()) ? 1 : 0;
      }
      setAlarmLocked();
    } finally {
      lock.unlock();
    }
    for (int i = 0; i < added; i++) {
      tell(listener::added);
    }
  }

  /** Makes the alarm agree with the earliest deadline. */
  @GuardedBy("lock")
  private void setAlarmLocked() {
    OptionalLong next = delays.nextDue();
    if (alarm != null) {
      if (next.isPresent() && alarmAt - next.getAsLong() <= 0) {
        return; // it rings early at worst, finds nothing due, and is set again
      }
      alarm.cancel();
      alarm = null;
    }
    if (next.isPresent()) {
      alarmAt = next.getAsLong();
      Duration delay = Duration.ofNanos(Math.max(0, alarmAt - scheduler.nanoTime()));
      alarm = scheduler.schedule(this::alarmRang, delay);
    }
  }

  private void tell(Runnable news) {
    try {
      news.run();
    } catch (RuntimeException | Error e) { // else a key that is handed out would never come back
      log.warn("The listener of {} failed; the queue goes on", this, e);
    }
  }

  /** What is known of a key in work. Guarded by the queue's lock. */
  private static final class InWork {
    final long since;

    /** The priority under which the key was added meanwhile; null if it was not. */
    @Nullable Priority again;

    InWork(long since) {
      this.since = since;
    }
  }

  private final class HandedOut implements WorkItem<T> {
    private final ReadyQueue.Ready<T> entry;
    private final Duration waited;
    private final AtomicBoolean closed = new AtomicBoolean();

    HandedOut(ReadyQueue.Ready<T> entry, Duration waited) {
      this.entry = entry;
      this.waited = waited;
    }

    @Override
    public T key() {
      return entry.key();
    }

    @Override
    public Priority priority() {
      return entry.priority();
    }

    @Override
    public Duration waited() {
      return waited;
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        giveBack(entry.key());
      }
    }

    @Override
    public String toString() {
      return "WorkItem " + entry.key();
    }
  }
}
