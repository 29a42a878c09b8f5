// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The wish for a list although the watch is healthy, because what it brought was of no use. The
 * list is due when the first of the wishes is. A list that does not help either must not follow at
 * once, so each reason leads to one list per period; the first list of a reason is never put off.
 *
 * <p>{@link #want} may be called by any thread, all else by the reflector's.
 */
final class WantedList {

  /** How often a reason may lead to a list. */
  private static final Map<ListReason, Duration> PERIODS =
      new EnumMap<>(
          Map.of(
              ListReason.LOST, Duration.ofSeconds(30),
              ListReason.WENT_BACK, Duration.ofSeconds(30),
              ListReason.UNREADABLE_EVENT, Duration.ofMinutes(2)));

  private final Scheduler scheduler;

  @GuardedBy("this")
  private final Set<ListReason> wanted = EnumSet.noneOf(ListReason.class);

  /** When each reason may lead to a list again. */
  @GuardedBy("this")
  private final Map<ListReason, Long> notBefore = new EnumMap<>(ListReason.class);

  WantedList(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Asks for a list. */
  synchronized void want(ListReason reason) {
    if (!PERIODS.containsKey(reason)) {
      throw new IllegalArgumentException("a list without a period: " + reason);
    }
    wanted.add(reason);
  }

  /** No list is wanted, for one is being asked for. */
  synchronized void forget() {
    wanted.clear();
  }

  /** How long it is until the wanted list may be asked for; empty if none is wanted. */
  synchronized Optional<Duration> untilDue() {
    ListReason first = first();
    return first == null ? Optional.empty() : Optional.of(Duration.ofNanos(left(first)));
  }

  /** Why a list is to be asked for now; null if it is not. It serves all who want one. */
  synchronized @Nullable ListReason take() {
    ListReason first = first();
    if (first == null || left(first) > 0) {
      return null;
    }
    for (ListReason served : wanted) {
      Duration period = PERIODS.getOrDefault(served, Duration.ZERO);
      notBefore.put(served, scheduler.nanoTime() + period.toNanos());
    }
    wanted.clear();
    return first;
  }

  /** The wanted list that is due first. */
  @GuardedBy("this")
  private @Nullable ListReason first() {
    ListReason first = null;
    for (ListReason reason : wanted) {
      if (first == null || left(reason) < left(first)) {
        first = reason;
      }
    }
    return first;
  }

  @GuardedBy("this")
  private long left(ListReason reason) {
    Long from = notBefore.get(reason);
    return from == null ? 0 : Math.max(0, from - scheduler.nanoTime());
  }
}
