// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Collects requests for a list that is necessary although the watch is healthy, because events were
 * unusable or lost. The list is due when the first of the requests is due. If a list does not solve
 * the problem, the next list must not follow immediately. Each reason therefore leads to at most
 * one list per period. The first list for a reason is never delayed.
 *
 * <p>{@link #want} can be called from any thread. The reflector's thread calls all other methods.
 */
final class PendingRelist {

  /** The minimum period between two lists for the same reason. */
  private static final Map<ListReason, Duration> PERIODS =
      new EnumMap<>(
          Map.of(
              ListReason.LOST, Duration.ofSeconds(30),
              ListReason.WENT_BACK, Duration.ofSeconds(30),
              ListReason.UNREADABLE_EVENT, Duration.ofMinutes(2)));

  private static final Duration FOREVER = Duration.ofDays(1);

  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Set<ListReason> wanted = EnumSet.noneOf(ListReason.class);

  /** The time from which each reason can cause a list again, in monotonic nanoseconds. */
  @GuardedBy("this")
  private final Map<ListReason, Long> notBefore = new EnumMap<>(ListReason.class);

  PendingRelist(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Requests a list. */
  synchronized void want(ListReason reason) {
    if (!PERIODS.containsKey(reason)) {
      throw new IllegalArgumentException("no period is defined for lists of reason " + reason);
    }
    wanted.add(reason);
  }

  /** Drops all requests, because a list is being requested. */
  synchronized void forget() {
    wanted.clear();
  }

  /**
   * Returns the time until the pending list can be requested, or one day if there is no pending
   * list.
   */
  synchronized Duration untilDue() {
    return wanted.isEmpty() ? FOREVER : Duration.ofNanos(left(first()));
  }

  /**
   * Returns the reason for the list to request now, or null if there is no list to request. The
   * list serves all pending requests.
   */
  synchronized @Nullable ListReason take() {
    if (wanted.isEmpty()) {
      return null;
    }
    ListReason first = first();
    if (left(first) > 0) {
      return null;
    }
    for (ListReason served : wanted) {
      Duration period = PERIODS.getOrDefault(served, Duration.ZERO);
      notBefore.put(served, scheduler.nanoTime() + period.toNanos());
    }
    wanted.clear();
    return first;
  }

  /**
   * Returns the reason of the list that is due first. The caller must ensure that there is a
   * request.
   */
  @GuardedBy("this")
  private ListReason first() {
    ListReason first = null;
    for (ListReason reason : wanted) {
      if (first == null || left(reason) < left(first)) {
        first = reason;
      }
    }
    return Objects.requireNonNull(first);
  }

  @GuardedBy("this")
  private long left(ListReason reason) {
    Long from = notBefore.get(reason);
    return from == null ? 0 : Math.max(0, from - scheduler.nanoTime());
  }
}
