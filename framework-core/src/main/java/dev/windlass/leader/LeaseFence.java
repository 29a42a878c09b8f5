// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The fence of one elector. Each renewal of the lease extends the deadline of the fence.
 *
 * <pre>
 *   start of the last renewal      renew deadline         lease duration
 *   |------------ open ------------|-- started actions ---|-- others may lead
 *                                     may still end
 * </pre>
 *
 * <p>Once a fence has closed, it stays closed until the replica is elected again. The first caller
 * that checks the fence after its deadline closes it. Even if the server accepts a renewal at the
 * same moment, the renewal does not reopen the fence.
 */
final class LeaseFence implements Fence {

  /**
   * The divisor that determines the safety margin. One fifth of the time between the renew deadline
   * and the lease duration, by default 1 s of 5 s, is reserved for requests that do not end exactly
   * at their time-out.
   */
  private static final int MARGIN = 5;

  /**
   * The state of the fence.
   *
   * @param why the reason why the fence is closed; null while the fence is open
   * @param closes the time at which an open fence closes unless the lease is renewed, as a value of
   *     {@link Scheduler#nanoTime}
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
   * Opens the fence after this replica has become the leader. The fence closes when the renew
   * deadline has passed, unless it is extended.
   *
   * @param start the start of the write that acquired the lease, as a value of {@link
   *     Scheduler#nanoTime}
   */
  void open(long start) {
    state.set(openFrom(start));
  }

  /**
   * Extends an open fence after a renewal of the lease.
   *
   * @param start the start of the renewal, from which the renew deadline is counted
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
   * Returns the time until the fence closes if the lease is not renewed, or zero if the fence is
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
