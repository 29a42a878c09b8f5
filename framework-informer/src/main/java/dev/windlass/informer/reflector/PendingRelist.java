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
 * Collects requests for a relist while the watch is healthy. A relist is required, for example, if
 * events were lost or could not be read.
 *
 * <p>The relist is due as soon as one of the requests is due. The first relist for a reason is due
 * immediately. Each reason then causes at most one relist per period, because a relist that does
 * not solve the problem must not be repeated immediately.
 *
 * <p>{@link #want} can be called from any thread. The reflector's thread calls all other methods.
 */
final class PendingRelist {

  /** The minimum period between two relists for the same reason. */
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

  /**
   * The earliest time of the next relist for each reason, in nanoseconds of the monotonic clock.
   */
  @GuardedBy("this")
  private final Map<ListReason, Long> notBefore = new EnumMap<>(ListReason.class);

  PendingRelist(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  synchronized void want(ListReason reason) {
    if (!PERIODS.containsKey(reason)) {
      throw new IllegalArgumentException("no period is defined for lists of reason " + reason);
    }
    wanted.add(reason);
  }

  /** Drops all requests. The reflector calls this method before it requests a list. */
  synchronized void forget() {
    wanted.clear();
  }

  /** Returns the time until the relist is due, or one day if no relist is requested. */
  synchronized Duration untilDue() {
    return wanted.isEmpty() ? FOREVER : Duration.ofNanos(left(first()));
  }

  /**
   * Returns the reason for the relist if it is due, and drops all requests, because one list serves
   * all of them. Returns null if no relist is due.
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

  /** Returns the reason whose relist is due first. At least one relist must be requested. */
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
