// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The wish for a list although the watch is healthy, because what it brought was of no use. A list
 * that does not help either must not follow at once, so some reasons have to wait.
 *
 * <p>{@link #want} may be called by any thread, all else by the reflector's.
 */
final class WantedList {

  /** How often a reason may lead to a list; those that are not here are never put off. */
  private static final Map<ListReason, Duration> PERIODS =
      new EnumMap<>(
          Map.of(
              ListReason.LOST, Duration.ofSeconds(30),
              ListReason.UNREADABLE_EVENT, Duration.ofMinutes(2)));

  private final Scheduler scheduler;
  private volatile @Nullable ListReason wanted;

  /** When each reason led to a list last. */
  private final Map<ListReason, Long> granted = new EnumMap<>(ListReason.class);

  WantedList(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /** Asks for a list. */
  void want(ListReason reason) {
    wanted = reason;
  }

  /** No list is wanted, for one is being asked for. */
  void forget() {
    wanted = null;
  }

  /** How long it is until the wanted list may be asked for; empty if none is wanted. */
  Optional<Duration> untilDue() {
    ListReason reason = wanted;
    if (reason == null) {
      return Optional.empty();
    }
    Long last = granted.get(reason);
    Duration period = PERIODS.get(reason);
    if (last == null || period == null) {
      return Optional.of(Duration.ZERO);
    }
    long left = last + period.toNanos() - scheduler.nanoTime();
    return Optional.of(Duration.ofNanos(Math.max(0, left)));
  }

  /** Why a list is to be asked for now; null if it is not. */
  @Nullable ListReason take() {
    ListReason reason = wanted;
    if (reason == null || !untilDue().equals(Optional.of(Duration.ZERO))) {
      return null;
    }
    wanted = null;
    granted.put(reason, scheduler.nanoTime());
    return reason;
  }
}
