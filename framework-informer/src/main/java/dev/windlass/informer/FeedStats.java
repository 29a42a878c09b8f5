// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedListener;
import dev.windlass.informer.reflector.ListReason;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts a reflector's events. The reflector's thread writes the counters, and any thread can read
 * them.
 */
final class FeedStats implements FeedListener {

  private final Scheduler scheduler;

  private final Map<ListReason, AtomicLong> lists = counters(ListReason.class);
  private final Map<FeedEvent.Type, AtomicLong> events = counters(FeedEvent.Type.class);
  private final Map<FeedFailure.Reason, AtomicLong> failures = counters(FeedFailure.Reason.class);
  private final AtomicLong watches = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong outOfOrder = new AtomicLong();
  private final AtomicLong audits = new AtomicLong();
  private final AtomicLong mismatches = new AtomicLong();

  private final Moment watching = new Moment();
  private final Moment event = new Moment();
  private final Moment bookmark = new Moment();
  private final Moment list = new Moment();
  private volatile ListReason lastReason = ListReason.START;

  FeedStats(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** The time at which an event last occurred. The time is unknown until the event occurs. */
  private final class Moment {
    private volatile long at;
    private volatile boolean known;

    void now() {
      at = scheduler.nanoTime();
      known = true;
    }

    void over() {
      known = false;
    }

    Optional<Duration> age() {
      return known ? Optional.of(Duration.ofNanos(scheduler.nanoTime() - at)) : Optional.empty();
    }
  }

  @Override
  public void listing(ListReason reason, boolean streaming) {
    watching.over();
    lastReason = reason;
    list.now();
    count(lists, reason);
  }

  @Override
  public void listed(int objects) {
    watching.now();
  }

  @Override
  public void watching(String resourceVersion) {
    watches.incrementAndGet();
    watching.now();
  }

  @Override
  public void event(FeedEvent.Type type) {
    count(events, type);
    (type == FeedEvent.Type.BOOKMARK ? bookmark : event).now();
  }

  @Override
  public void failed(FeedFailure failure) {
    watching.over();
    count(failures, failure.reason());
  }

  @Override
  public void skipped(String why) {
    skipped.incrementAndGet();
  }

  @Override
  public void outOfOrder() {
    outOfOrder.incrementAndGet();
  }

  @Override
  public void audited(int found) {
    audits.incrementAndGet();
    mismatches.addAndGet(found);
  }

  Optional<Duration> watchAge() {
    return watching.age();
  }

  Optional<Duration> sinceEvent() {
    return event.age();
  }

  Optional<Duration> sinceBookmark() {
    return bookmark.age();
  }

  Optional<InformerStatus.LastList> lastList() {
    return list.age().map(ago -> new InformerStatus.LastList(lastReason, ago));
  }

  Map<ListReason, Long> lists() {
    return counts(ListReason.class, lists);
  }

  Map<FeedEvent.Type, Long> events() {
    return counts(FeedEvent.Type.class, events);
  }

  Map<FeedFailure.Reason, Long> failures() {
    return counts(FeedFailure.Reason.class, failures);
  }

  long watches() {
    return watches.get();
  }

  long skipped() {
    return skipped.get();
  }

  long outOfOrderEvents() {
    return outOfOrder.get();
  }

  long audits() {
    return audits.get();
  }

  long auditMismatches() {
    return mismatches.get();
  }

  /**
   * Returns a map that contains a counter for each value. Because all counters exist from the
   * start, counting never changes the map.
   */
  private static <E extends Enum<E>> Map<E, AtomicLong> counters(Class<E> type) {
    Map<E, AtomicLong> counters = new EnumMap<>(type);
    for (E value : type.getEnumConstants()) {
      counters.put(value, new AtomicLong());
    }
    return counters;
  }

  private static <E extends Enum<E>> void count(Map<E, AtomicLong> counters, E value) {
    Objects.requireNonNull(counters.get(value)).incrementAndGet();
  }

  private static <E extends Enum<E>> Map<E, Long> counts(
      Class<E> type, Map<E, AtomicLong> counters) {
    Map<E, Long> counts = new EnumMap<>(type);
    counters.forEach(
        (value, counter) -> {
          if (counter.get() > 0) {
            counts.put(value, counter.get());
          }
        });
    return counts;
  }
}
