// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The fence of one elector. Each renewal extends its deadline.
 *
 * <pre>
 *   start of the last renewal      renew deadline         lease duration
 *   |------------ open ------------|-- started actions ---|-- others may lead
 *                                     may still end
 * </pre>
 *
 * <p>Once a fence has closed, it stays closed until the replica is elected again; a renewal never
 * reopens it. The first caller that finds the deadline passed closes the fence. A renewal that the
 * server accepts at the same moment therefore cannot reopen the fence after that caller has seen it
 * closed.
 */
final class LeaseFence implements Fence {

  /**
   * The divisor of the time between the renew deadline and the lease duration. The quotient, by
   * default 1 s of 5 s, is reserved for requests to end after their time-out.
   */
  private static final int MARGIN = 5;

  /**
   * The fence's state.
   *
   * @param why the reason why the fence is closed; null while the fence is open
   * @param closes the time at which an open fence closes without a renewal, in monotonic
   *     nanoseconds
   */
  private record State(@Nullable String why, long closes) {}

  private final LeaderElectionOptions options;
  private final Scheduler scheduler;
  private final InFlightActions actions = new InFlightActions();
  private final AtomicReference<State> state =
      new AtomicReference<>(new State("it has not been elected", 0));

  LeaseFence(LeaderElectionOptions options, Scheduler scheduler) {
    this.options = options;
    this.scheduler = scheduler;
  }

  /**
   * Opens the fence when this replica has become the leader. The fence stays open for the renew
   * deadline, counted from the start of the write that acquired the lease.
   */
  void open(long start) {
    state.set(openFrom(start));
  }

  /**
   * Extends the time for which the fence is open to the renew deadline, counted from the start of a
   * renewal.
   *
   * @return whether the fence is open; if it has already closed, this replica is no longer the
   *     leader
   */
  boolean extend(long start) {
    State current = current();
    return current.why() == null && state.compareAndSet(current, openFrom(start)) && holds();
  }

  private State openFrom(long start) {
    return new State(null, start + Scheduler.saturatedNanos(options.renewDeadline()));
  }

  /** Closes the fence until {@link #open} is called, and aborts all actions that can be aborted. */
  void close(String reason) {
    state.set(new State(reason, 0));
    actions.cut();
  }

  /** Returns a future that completes as soon as all actions in progress have completed. */
  CompletableFuture<Void> idle() {
    return actions.idle();
  }

  @Override
  public Action pass(Runnable cut) {
    Action action = actions.begin(cut);
    if (!holds()) {
      cut.run();
    }
    return action;
  }

  /** Returns the current state, and closes the fence if its deadline has passed. */
  private State current() {
    return state.updateAndGet(
        seen ->
            seen.why() == null && scheduler.nanoTime() - seen.closes() >= 0
                ? new State(options.notRenewed(), 0)
                : seen);
  }

  private Duration left(State open) {
    return Duration.ofNanos(Math.max(0, open.closes() - scheduler.nanoTime()));
  }

  /**
   * Returns the time for which the fence stays open without another renewal, or zero if it is
   * closed.
   */
  Duration left() {
    State current = current();
    return current.why() == null ? left(current) : Duration.ZERO;
  }

  @Override
  public boolean holds() {
    return current().why() == null;
  }

  @Override
  public Duration check() {
    State current = current();
    if (current.why() != null) {
      throw new LeadershipLostException(
          "this replica is not the leader for the lease " + options.place() + ": " + current.why());
    }
    Duration after = options.leaseDuration().minus(options.renewDeadline());
    return left(current).plus(after).minus(after.dividedBy(MARGIN));
  }

  @Override
  public String toString() {
    return "the fence of the lease " + options.place();
  }
}
