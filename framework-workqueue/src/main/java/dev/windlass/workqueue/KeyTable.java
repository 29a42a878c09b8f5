// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the states of the keys that are waiting, being processed or failing, or whose records are
 * not empty, and performs all transitions between these states. The table does not contain other
 * keys. A record can become empty merely because time passes. Such an entry is dropped by the next
 * sweep: while keys are used, once a minute, or earlier if the number of entries has doubled.
 *
 * <p>While a key is being processed, it is never ready. If the key is added during this time, its
 * state becomes {@link QueueEntry.Waiting#AGAIN}, and the key becomes ready when the worker
 * releases it. This rule ensures that only one worker at a time processes a key.
 *
 * <p>The caller provides all times; this class does not read a clock. Times must not decrease from
 * call to call. Before the queue makes a key ready or assigns a key to a worker, it calls {@link
 * #wake}. Keys are therefore ordered by the time at which they became ready, even if the timer
 * fires late. This class is not thread-safe.
 */
final class KeyTable<T> {

  /**
   * The minimum value of {@link #most} for which the table's memory is released when the table
   * becomes empty.
   */
  private static final int MANY = 4_096;

  /** The maximum time between two sweeps while keys are processed: 1 min. */
  private static final long SWEEP_EVERY = Duration.ofMinutes(1).toNanos();

  /**
   * The minimum number of entries for a sweep before this time has passed. With more entries,
   * expendable records are dropped.
   */
  private static final int SWEEP = 1_024;

  private final Supplier<? extends KeyRecord> records;

  private Map<T, QueueEntry<T>> entries = new HashMap<>();

  private int sweepAt = SWEEP;
  private long sweptAt;

  /** The maximum number of keys in the table since its memory was last released. */
  private int most;

  final ReadyQueue<T> ready = new ReadyQueue<>();
  final DelayHeap<T> delays = new DelayHeap<>();

  /** The entries whose keys are being processed, in the order in which processing began. */
  final QueueEntryList<T> inWork = new QueueEntryList<>();

  KeyTable(Supplier<? extends KeyRecord> records, long now) {
    this.records = records;
    this.sweptAt = now;
  }

  /**
   * Makes the key ready. If the key is delayed, ends the delay. If the key is being processed, it
   * becomes ready when the worker releases it. If the key is already ready, only its priority can
   * change.
   *
   * @return the priority of the key if this call has made it ready, or null otherwise
   */
  @Nullable Priority add(QueueEntry<T> entry, Priority priority, long now) {
    Priority best =
        entry.waiting == QueueEntry.Waiting.NO ? priority : entry.priority.orMoreUrgent(priority);
    switch (entry.waiting) {
      case READY -> ready.raise(entry, best, now);
      case AGAIN -> entry.priority = best;
      case DELAYED -> {
        delays.remove(entry);
        return makeReady(entry, best, now);
      }
      case NO -> {
        return makeReady(entry, best, now);
      }
    }
    return null;
  }

  /**
   * Delays the key until {@code dueAt}. If the key is already delayed, the earlier deadline and the
   * more urgent priority apply. Has no effect if the key is ready, or will become ready when a
   * worker releases it.
   */
  void delay(QueueEntry<T> entry, Priority priority, long dueAt) {
    switch (entry.waiting) {
      case READY, AGAIN -> {}
      case DELAYED -> {
        entry.priority = entry.priority.orMoreUrgent(priority);
        delays.advance(entry, dueAt);
      }
      case NO -> {
        entry.waiting = QueueEntry.Waiting.DELAYED;
        entry.priority = priority;
        delays.add(entry, dueAt);
      }
    }
  }

  /**
   * Ends the delays whose deadlines have passed.
   *
   * @return the priorities of the keys that this call has made ready
   */
  List<Priority> wake(long now) {
    QueueEntry<T> due = delays.pollDue(now);
    if (due == null) {
      return List.of();
    }
    List<Priority> added = new ArrayList<>();
    for (; due != null; due = delays.pollDue(now)) {
      Priority priority = makeReady(due, due.priority, due.readyAt);
      if (priority != null) {
        added.add(priority);
      }
    }
    return added;
  }

  private @Nullable Priority makeReady(QueueEntry<T> entry, Priority priority, long since) {
    if (entry.item != null) {
      entry.waiting = QueueEntry.Waiting.AGAIN;
      entry.priority = priority;
      return null;
    }
    entry.waiting = QueueEntry.Waiting.READY;
    ready.add(entry, priority, since);
    return priority;
  }

  /** Assigns the next ready key to the current thread. Returns null if no key is ready. */
  @Nullable InFlightItem<T> handOut(DefaultWorkQueue<T, ?> queue, long now) {
    QueueEntry<T> entry = ready.poll(now);
    if (entry == null) {
      return null;
    }
    entry.waiting = QueueEntry.Waiting.NO;
    inWork.append(entry);
    InFlightItem<T> item = new InFlightItem<>(queue, entry, now);
    entry.item = item;
    return item;
  }

  boolean isCurrent(InFlightItem<T> item) {
    return item.entry.item == item;
  }

  /** Returns whether the key of an open item will become ready when the item is closed. */
  boolean isAgain(InFlightItem<T> item) {
    return item.entry.waiting == QueueEntry.Waiting.AGAIN;
  }

  /**
   * Releases the key of an open item.
   *
   * @return the priority of the key if this call has made it ready again, or null otherwise
   */
  @Nullable Priority giveBack(InFlightItem<T> item, long now) {
    QueueEntry<T> entry = item.entry;
    entry.item = null;
    inWork.remove(entry);
    if (entry.waiting == QueueEntry.Waiting.AGAIN) {
      return makeReady(entry, entry.priority, now);
    }
    dropIfIdle(entry, now);
    return null;
  }

  Optional<Long> dueAt(T key) {
    QueueEntry<T> entry = entries.get(key);
    return entry != null && entry.waiting == QueueEntry.Waiting.DELAYED
        ? Optional.of(entry.readyAt)
        : Optional.empty();
  }

  void dropDelays(long now) {
    for (QueueEntry<T> entry : delays.clear()) {
      entry.waiting = QueueEntry.Waiting.NO;
      dropIfIdle(entry, now);
    }
  }

  /**
   * Drops everything about the selected keys except that they are being processed, and what remains
   * of their records.
   */
  void drop(Predicate<? super T> which, Function<QueueEntry<T>, KeyRecord> remains, long now) {
    for (QueueEntry<T> entry : entries.values()) {
      if (which.test(entry.key)) {
        switch (entry.waiting) {
          case READY -> ready.remove(entry);
          case DELAYED -> delays.remove(entry);
          case AGAIN, NO -> {}
        }
        entry.waiting = QueueEntry.Waiting.NO;
        entry.failures = 0;
        entry.record = remains.apply(entry);
      }
    }
    sweep(now);
  }

  int failures(T key) {
    QueueEntry<T> entry = entries.get(key);
    return entry == null ? 0 : entry.failures;
  }

  void forget(T key, long now) {
    QueueEntry<T> entry = entries.get(key);
    if (entry != null && entry.failures > 0) {
      entry.failures = 0;
      dropIfIdle(entry, now);
    }
  }

  /** Drops an entry for which nothing has to be kept, and sweeps if a sweep is due. */
  void dropIfIdle(QueueEntry<T> entry, long now) {
    if (isIdle(entry, now)) {
      entries.remove(entry.key);
    }
    if (entries.size() > sweepAt || now - sweptAt >= SWEEP_EVERY) {
      sweep(now);
    }
    release();
  }

  private void sweep(long now) {
    entries.values().removeIf(each -> isIdle(each, now));
    sweepAt = Math.max(SWEEP, 2 * entries.size());
    sweptAt = now;
    release();
  }

  private void release() {
    if (most >= MANY && entries.isEmpty()) {
      entries = new HashMap<>();
      most = 0;
    }
  }

  private boolean isIdle(QueueEntry<?> entry, long now) {
    return entry.isUnused()
        && entry.failures == 0
        && (entry.record.isEmpty(now) || (entries.size() > SWEEP && entry.record.isExpendable()));
  }

  QueueEntry<T> entryOf(T key) {
    QueueEntry<T> entry = entries.get(key);
    if (entry == null) {
      entry = new QueueEntry<>(key);
      entry.record = records.get();
      entries.put(key, entry);
      most = Math.max(most, entries.size());
    }
    return entry;
  }

  Collection<QueueEntry<T>> all() {
    return entries.values();
  }

  /** Returns whether no key is ready or being processed. */
  boolean isIdle() {
    return ready.size() == 0 && inWork.size() == 0;
  }
}
