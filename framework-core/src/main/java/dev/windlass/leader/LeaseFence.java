// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.time.Scheduler;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The fence of one elector, which moves its deadline with each renewal.
 *
 * <pre>
 *   start of the last renewal      renew deadline         lease duration
 *   |------------ open ------------|-- what was begun ----|-- others may lead
 *                                     may still end
 * </pre>
 */
final class LeaseFence implements Fence {

  /**
   * The share of the time between renew deadline and lease duration that is kept back, for what a
   * request needs from its time-out until it is really given up: a fifth, so 1 s of 5 s.
   */
  private static final int MARGIN = 5;

  private final LeaderElectionOptions options;
  private final Scheduler scheduler;

  /** When it closes by itself; null while it is closed. */
  private volatile @Nullable Long closes;

  private volatile String why = "it has not been elected";

  LeaseFence(LeaderElectionOptions options, Scheduler scheduler) {
    this.options = options;
    this.scheduler = scheduler;
  }

  /** Opens it, or keeps it open, for a renew deadline from the start of a renewal. */
  void open(long start) {
    closes = start + Scheduler.saturatedNanos(options.renewDeadline());
  }

  /** Closes it until it is opened again. */
  void close(String reason) {
    why = reason;
    closes = null;
  }

  /** How long it stays open without another renewal; zero if it is closed. */
  Duration left() {
    Long deadline = closes;
    return deadline == null
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, deadline - scheduler.nanoTime()));
  }

  @Override
  public boolean holds() {
    return !left().isZero();
  }

  @Override
  public Duration check() {
    Long deadline = closes;
    Duration left = left();
    if (left.isZero()) {
      throw new LeadershipLostException(
          "this replica does not lead by the lease "
              + options.place()
              + ": "
              + (deadline == null ? why : options.notRenewed()));
    }
    Duration after = options.leaseDuration().minus(options.renewDeadline());
    return left.plus(after).minus(after.dividedBy(MARGIN));
  }

  @Override
  public String toString() {
    return "the fence of the lease " + options.place();
  }
}
