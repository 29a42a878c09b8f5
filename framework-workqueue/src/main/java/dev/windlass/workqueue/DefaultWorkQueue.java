// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.FatalErrors;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.workqueue.WorkQueue.DelayedKey;
import dev.windlass.workqueue.WorkQueue.ProcessingKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The implementation of {@link WorkQueue}. One lock guards the {@link KeyTable}, which contains the
 * states of the keys, and the {@link QueueTimer}, which ends delays.
 *
 * <p>The queue never holds the lock while it calls the listener, the rate limiter, the grouping or
 * the give-up hook. For each key that becomes ready, the queue wakes one worker. No worker
 * therefore waits while a key is ready.
 */
final class DefaultWorkQueue<T, R extends KeyRecord> implements RecordingWorkQueue<T, R> {

  // Keys and priorities are checked before the state changes, because a partial change would lose
  // the key.
  private static final String NO_KEY = "key must not be null";
  private static final String NO_PRIORITY = "priority must not be null: use Priority.NORMAL";

  private static final Logger log = LoggerFactory.getLogger(WorkQueue.class);

  private final String name;
  private final Scheduler scheduler;
  private final FailurePolicy<T> failures;
  private final Function<? super T, ?> groupOf;
  private final ListenerNotifier notifier;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition readyOrShutDown = lock.newCondition();

  /**
   * The condition for the end of a drain. It is signalled when no key is ready or being processed,
   * when {@link #shutDown()} is called, and when the time limit of a drain has passed.
   */
  private final Condition drainMayEnd = lock.newCondition();

  @GuardedBy("lock")
  private final KeyTable<T> keys;

  @GuardedBy("lock")
  private final QueueTimer alarm;

  /** Written under the lock. */
  private volatile boolean shutDown;

  @GuardedBy("lock")
  private boolean open = true;

  /** The number of calls to {@link #shutDown()}. A drain stops waiting when this number changes. */
  @GuardedBy("lock")
  private int hardShutDowns;

  DefaultWorkQueue(WorkQueueOptions<T> options, Supplier<R> records) {
    name = options.name();
    scheduler = options.scheduler();
    failures = new FailurePolicy<>(options);
    keys = new KeyTable<>(records, scheduler.nanoTime());
    groupOf = options.grouping();
    notifier = new ListenerNotifier(options.name(), options.listener());
    alarm = new QueueTimer(name, scheduler, this::alarmRang);
  }

  @Override
  public void add(T key, Priority priority) {
    put(key, priority, null, false, null);
  }

  @Override
  public boolean add(T key, Priority priority, Predicate<? super R> update) {
    return put(key, priority, null, false, update);
  }

  @Override
  public <V> V record(T key, Function<? super R, V> function) {
    Objects.requireNonNull(key, NO_KEY);
    lock.lock();
    try {
      QueueEntry<T> entry = keys.entryOf(key);
      V value = function.apply(recordOf(entry));
      if (entry.isUnused()) {
        keys.dropIfIdle(entry, scheduler.nanoTime());
      }
      return value;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void forEach(BiConsumer<? super T, ? super R> function) {
    lock.lock();
    try {
      keys.all().forEach(entry -> function.accept(entry.key, recordOf(entry)));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void setOpen(boolean whether) {
    lock.lock();
    try {
      open = whether;
      readyOrShutDown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void drop(Predicate<? super T> which, UnaryOperator<R> remains) {
    lock.lock();
    try {
      long now = scheduler.nanoTime();
      keys.drop(which, entry -> remains.apply(recordOf(entry)), now);
      agreeLocked(now);
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("unchecked") // one supplier has created all records
  private R recordOf(QueueEntry<T> entry) {
    return (R) entry.record;
  }

  @Override
  public void addAfter(T key, Duration delay, Priority priority) {
    put(key, priority, Objects.requireNonNull(delay, "delay must not be null"), false, null);
  }

  @Override
  public boolean addRateLimited(T key, Priority priority, Duration atLeast) {
    requireGiven(key, priority, atLeast);
    int failed = retries(key);
    if (failures.isLast(failed)) {
      forget(key);
      failures.giveUp(key, failed + 1);
      return false;
    }
    return addFailed(key, failed, priority, atLeast);
  }

  @Override
  public boolean addUnlimited(T key, Priority priority, Duration atLeast) {
    requireGiven(key, priority, atLeast);
    return addFailed(key, retries(key), priority, atLeast);
  }

  private boolean addFailed(T key, int failed, Priority priority, Duration atLeast) {
    Duration wait = failures.delay(key, failed);
    return put(key, priority, wait.compareTo(atLeast) < 0 ? atLeast : wait, true, null);
  }

  private static void requireGiven(
      @Nullable Object key, @Nullable Priority priority, @Nullable Duration atLeast) {
    Objects.requireNonNull(key, NO_KEY);
    Objects.requireNonNull(priority, NO_PRIORITY);
    Objects.requireNonNull(atLeast, "minimum delay must not be null: use Duration.ZERO");
  }

  /**
   * Adds a key.
   *
   * @param delay the time after which the key becomes ready, or null if it is not added again but
   *     for the first time, without a delay
   * @param failed whether to count a failure
   * @param update changes the record, and returns whether to add the key; null to add it anyway
   * @return false if the key was not added because of the update, or because the queue has been
   *     shut down
   */
  private boolean put(
      T key,
      Priority priority,
      @Nullable Duration delay,
      boolean failed,
      @Nullable Predicate<? super R> update) {
    Objects.requireNonNull(key, NO_KEY);
    Objects.requireNonNull(priority, NO_PRIORITY);
    Object group = groupOf(key);
    List<Priority> woken;
    Priority added = null;
    boolean wanted;
    lock.lock();
    try {
      if (failed) { // even if it is too late for a retry
        keys.entryOf(key).countFailure();
      }
      if (shutDown) {
        return false;
      }
      long now = scheduler.nanoTime();
      woken = wakeLocked(now);
      QueueEntry<T> entry = keys.entryOf(key);
      entry.groupName = group;
      wanted = update == null || update.test(recordOf(entry));
      if (wanted && delay != null && !delay.isNegative() && !delay.isZero()) {
        keys.delay(entry, priority, now + Scheduler.saturatedNanos(delay));
      } else if (wanted) {
        added = keys.add(entry, priority, now);
      }
      if (added != null) {
        readyOrShutDown.signal();
      } else if (entry.isUnused()) {
        keys.dropIfIdle(entry, now);
      }
      agreeLocked(now);
    } finally {
      lock.unlock();
    }
    notifier.added(woken);
    if (added != null) {
      notifier.added(added);
    }
    if (delay != null) {
      notifier.retried();
    }
    return wanted;
  }

  private Object groupOf(T key) {
    try {
      return Objects.requireNonNull(groupOf.apply(key), "the function returned null");
    } catch (RuntimeException | Error e) { // otherwise the key would be lost
      FatalErrors.rethrow(e);
      log.error("The function that groups the keys failed for {}; its group is \"\"", key, e);
      return "";
    }
  }

  @Override
  public void forget(T key) {
    lock.lock();
    try {
      if (keys.failures(key) > 0) { // reading the clock costs more than this check
        keys.forget(key, scheduler.nanoTime());
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int retries(T key) {
    lock.lock();
    try {
      return keys.failures(key);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Optional<WorkItem<T>> poll() {
    List<Priority> woken;
    WorkItem<T> item;
    lock.lock();
    try {
      long now = scheduler.nanoTime();
      woken = wakeLocked(now);
      alarm.agreeWith(keys.delays, now);
      item = open ? keys.handOut(this, now) : null;
    } finally {
      lock.unlock();
    }
    return announced(woken, item);
  }

  @Override
  public Optional<WorkItem<T>> take() throws InterruptedException {
    List<Priority> woken;
    WorkItem<T> item;
    lock.lockInterruptibly();
    try {
      while (true) {
        long now = scheduler.nanoTime();
        woken = wakeLocked(now);
        alarm.agreeWith(keys.delays, now);
        item = open ? keys.handOut(this, now) : null;
        if (item != null || shutDown || !open) {
          break;
        }
        readyOrShutDown.await();
      }
    } finally {
      lock.unlock();
    }
    return announced(woken, item);
  }

  private Optional<WorkItem<T>> announced(List<Priority> woken, @Nullable WorkItem<T> item) {
    notifier.added(woken);
    if (item != null) {
      notifier.taken(item);
    }
    return Optional.ofNullable(item);
  }

  /** Releases an item's key. Has no effect if the item has already been closed. */
  void giveBack(InFlightItem<T> item) {
    List<Priority> woken = List.of();
    Priority added;
    long now = item.since;
    lock.lock();
    try {
      if (!keys.isCurrent(item)) {
        return;
      }
      boolean mustKnow =
          keys.isAgain(item) || alarm.isMissing(keys.delays) || item.entry.record != KeyRecord.NONE;
      if (mustKnow
          || !notifier.isUnheard()) { // reading the clock is half of the cost of this method
        now = scheduler.nanoTime();
        woken = wakeLocked(now);
        alarm.agreeWith(keys.delays, now);
      }
      added = keys.giveBack(item, now);
      if (added != null) {
        readyOrShutDown.signal();
      } else if (shutDown && keys.isIdle()) {
        drainMayEnd.signalAll();
      }
    } finally {
      lock.unlock();
    }
    notifier.added(woken);
    notifier.finished(now - item.since);
    if (added != null) {
      notifier.added(added);
    }
  }

  private void alarmRang() {
    List<Priority> woken;
    lock.lock();
    try {
      long now = scheduler.nanoTime();
      alarm.rang();
      woken = wakeLocked(now);
      agreeLocked(now);
    } finally {
      lock.unlock();
    }
    notifier.added(woken);
  }

  @GuardedBy("lock")
  private List<Priority> wakeLocked(long now) {
    List<Priority> woken = keys.wake(now);
    for (int i = 0; i < woken.size(); i++) {
      readyOrShutDown.signal();
    }
    return woken;
  }

  /**
   * Updates the timer. If this fails, wakes a waiting worker, which then tries to set the timer
   * again.
   */
  @GuardedBy("lock")
  private void agreeLocked(long now) {
    if (!alarm.agreeWith(keys.delays, now)) {
      readyOrShutDown.signal();
    }
  }

  @Override
  public void shutDown() {
    lock.lock();
    try {
      hardShutDowns++;
      endLocked();
      drainMayEnd.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean shutDownWithDrain(Duration limit) throws InterruptedException {
    Duration wait = limit.isNegative() ? Duration.ZERO : limit;
    Deadline deadline = Deadline.in(wait, scheduler);
    Scheduler.Alarm timeOut = null;
    lock.lockInterruptibly();
    try {
      endLocked();
      int before = hardShutDowns;
      while (!keys.isIdle() && before == hardShutDowns && !deadline.hasPassed()) {
        if (timeOut == null) {
          timeOut = scheduler.schedule(this::drainTimedOut, wait);
        }
        drainMayEnd.await();
      }
      return keys.isIdle();
    } finally {
      lock.unlock();
      if (timeOut != null) {
        timeOut.cancel();
      }
    }
  }

  private void drainTimedOut() {
    lock.lock();
    try {
      drainMayEnd.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void endLocked() {
    shutDown = true;
    long now = scheduler.nanoTime();
    keys.dropDelays(now);
    alarm.agreeWith(keys.delays, now);
    readyOrShutDown.signalAll();
  }

  @Override
  public boolean isShutDown() {
    return shutDown;
  }

  @Override
  public Status status() {
    lock.lock();
    try {
      Duration wait = Duration.ofNanos(keys.ready.longestWait(scheduler.nanoTime()));
      return new Status(keys.ready.size(), keys.ready.lengths(), wait, keys.delays.size());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<DelayedKey<T>> delayedKeys(int limit) {
    if (limit < 0) {
      throw new IllegalArgumentException("limit must be zero or more: " + limit);
    }
    List<DelayedKey<T>> found = new ArrayList<>();
    lock.lock();
    try {
      long now = scheduler.nanoTime();
      for (QueueEntry<T> entry : keys.delays.soonest(limit)) {
        Duration dueIn = Duration.ofNanos(entry.readyAt - now);
        found.add(new DelayedKey<>(entry.key, entry.priority, dueIn, entry.failures));
      }
    } finally {
      lock.unlock();
    }
    return found;
  }

  @Override
  public Optional<Duration> dueIn(T key) {
    Objects.requireNonNull(key, NO_KEY);
    lock.lock();
    try {
      long now = scheduler.nanoTime();
      return keys.dueAt(key).map(due -> Duration.ofNanos(Math.max(0, due - now)));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<ProcessingKey<T>> inWork() {
    List<ProcessingKey<T>> found = new ArrayList<>();
    lock.lock();
    try {
      long now = scheduler.nanoTime();
      keys.inWork.forEach(
          entry -> {
            InFlightItem<T> item = Objects.requireNonNull(entry.item);
            Duration worked = Duration.ofNanos(now - item.since);
            found.add(new ProcessingKey<>(entry.key, item.priority(), worked, item.worker));
          });
    } finally {
      lock.unlock();
    }
    return found;
  }

  @Override
  public String toString() {
    return "WorkQueue " + name;
  }
}
