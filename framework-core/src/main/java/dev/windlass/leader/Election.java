// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.leader.LeaseLock.LeaseChangedException;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The election logic of one replica, implemented as a step that never blocks.
 *
 * <p>A candidate reads the Lease. It writes the Lease if the Lease has no holder, or if the Lease
 * has not changed for its lease duration. The candidate measures this time with its monotonic
 * clock, from the time at which it observed the last change. If the Lease is deleted while another
 * replica holds it, the candidate still waits until the lease duration has passed.
 *
 * <p>A leader renews the Lease at intervals of the retry period. A replica becomes or remains the
 * leader only if the server accepts its write. The renew deadline is counted from the start of that
 * write. A leader loses the lease immediately if its fence closes, or if it finds that another
 * replica has written the Lease. It then does not compete until {@link #standAgain()} is called. If
 * no client has written the Lease since, and the requests of its term have ended, it acquires the
 * lease at once.
 *
 * <p>The {@link LeaderListener} determines whether a candidate competes, and can make it give the
 * lease back before it becomes the leader. A leader that yields the lease remains a candidate.
 *
 * <p>When the election stops, the fence closes. The replica then releases the Lease if the options
 * permit this and no component acts as the leader any longer, as soon as the requests that have
 * passed the fence have ended.
 *
 * <p>Only one thread at a time may call {@link #run}. The other methods can be called from any
 * thread.
 */
final class Election implements LoopStep {

  private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);

  private enum Role {
    CANDIDATE,
    LEADER,
    /** The replica has lost the lease, and competes again on request. */
    RESTING,
    /** The replica is stopping, and may have to release the lease. */
    LEAVING,
    GONE
  }

  /** A request in progress. Exactly one of the three futures is not null. */
  private record Call(
      long begun,
      @Nullable CompletableFuture<Optional<LeaseRecord>> read,
      @Nullable CompletableFuture<LeaseRecord> write,
      @Nullable CompletableFuture<Optional<String>> rival) {

    CompletableFuture<?> answer() {
      return read != null ? read : write != null ? write : Objects.requireNonNull(rival);
    }
  }

  private final LeaderElectionOptions options;
  private final LeaseLock lock;
  private final Scheduler scheduler;
  private final Clock clock;
  private final RandomGenerator random;
  private final LeadershipReporter reporter;
  private final LeaseFence fence;
  private final ObservedLease observed;
  private final Runnable wake;
  private final LeaderListener candidacy;
  private final CompletableFuture<Boolean> gone = new CompletableFuture<>();

  private Role role = Role.CANDIDATE;
  private @Nullable Call call;
  private long nextAttempt;

  /**
   * Whether the current attempt has read the Lease or is reading it. An attempt that begins with a
   * write reads the Lease if the server rejects the write.
   */
  private boolean readFirst;

  private volatile @Nullable Boolean release;

  /** The value for {@link #release} if the replica no longer competes; null while it competes. */
  private volatile @Nullable Boolean withdrawal;

  private volatile boolean standAgain;
  private volatile boolean yielding;

  /** Why the leader must let the lease expire; null if it need not. */
  private volatile @Nullable String abandoned;

  /** The start of the write by which this candidate has claimed the lease. */
  private long claimedAt;

  /** Completes when the requests have ended that passed the fence in the last term. */
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);

  /**
   * Creates a candidate that has not sent any requests yet.
   *
   * @param wake the callback that runs when a response arrives, on any thread
   */
  Election(
      LeaderElectionOptions options,
      String identity,
      LeaseLock lock,
      LeaseFence fence,
      LeadershipReporter reporter,
      LeaderElector.Environment environment,
      LeaderListener candidacy,
      Runnable wake) {
    this.options = options;
    this.lock = lock;
    this.fence = fence;
    this.reporter = reporter;
    this.scheduler = environment.scheduler();
    this.clock = environment.clock();
    this.random = environment.random();
    this.observed = new ObservedLease(options, identity);
    this.candidacy = candidacy;
    this.wake = wake;
    this.nextAttempt = scheduler.nanoTime();
  }

  /**
   * Makes the replica take part in the leader election again after it has lost the leadership. Call
   * this method only after all leader components have stopped.
   */
  void standAgain() {
    standAgain = true;
  }

  /**
   * Makes a leader release the lease in the next step and remain a candidate. Call this method only
   * after all leader components have stopped.
   */
  void handOver() {
    yielding = true;
  }

  /** Makes a leader lose the lease in the next step, without releasing it. */
  void abandonTerm(String why) {
    abandoned = why;
  }

  /**
   * Requests that the election stop in the next step.
   *
   * @param giveBack whether the lease can be released, because no component acts as the leader any
   *     longer
   */
  void leave(boolean giveBack) {
    release = giveBack;
  }

  /**
   * Requests that the election stop as soon as this replica is not the leader.
   *
   * @param giveBack whether to release the lease if the server accepts a claim meanwhile
   */
  void withdraw(boolean giveBack) {
    withdrawal = giveBack;
  }

  /**
   * Returns a future that completes when the election has stopped. Its value is true if this
   * replica did not hold the lease, has released it, or intentionally lets it expire.
   */
  CompletableFuture<Boolean> gone() {
    return gone;
  }

  @Override
  public StepDelay run() {
    if (role == Role.LEADER && !fence.holds()) {
      lose(options.notRenewed(), null); // first, because a response that arrives now is too late
    }
    String why = abandoned;
    abandoned = null;
    if (why != null && role == Role.LEADER) {
      lose(why, null);
    }
    if (release != null && role != Role.LEAVING && role != Role.GONE) {
      leaveNow("the elector stops");
    } else if (yielding && role == Role.LEADER) {
      leaveNow("another replica takes its turn");
    } else if (role != Role.LEAVING) {
      yielding = false;
    }
    if (standAgain) {
      standAgain = false;
      if (role == Role.RESTING) {
        role = Role.CANDIDATE;
        nextAttempt = scheduler.nanoTime();
      }
    }
    if (role == Role.CANDIDATE && withdrawal != null) {
      release = withdrawal;
      leaveNow("the elector stops");
    }
    settle();
    if (call == null && isActive() && nextAttempt - scheduler.nanoTime() <= 0) {
      attempt();
    }
    if (call == null && role == Role.LEAVING && !mustRelease()) {
      end(true); // there is nothing to release, or the lease must expire
    }
    return delay();
  }

  private boolean mustRelease() {
    Boolean wanted = release;
    return (wanted == null ? yielding : wanted) && observed.isOurs();
  }

  private boolean isActive() {
    return switch (role) {
      case CANDIDATE -> candidacy.mayClaim() || observed.isOurs();
      case LEADER -> true;
      case LEAVING -> mustRelease() && idle.isDone();
      case RESTING, GONE -> false;
    };
  }

  private StepDelay delay() {
    long now = scheduler.nanoTime();
    StepDelay delay = StepDelay.UNTIL_WOKEN;
    Call current = call;
    if (current != null) {
      delay = delay.orSooner(Duration.ofNanos(deadline(current) - now));
    } else if (isActive()) {
      delay = delay.orSooner(Duration.ofNanos(nextAttempt - now));
    }
    return role == Role.LEADER ? delay.orSooner(fence.left()) : delay;
  }

  private long deadline(Call current) {
    return current.begun() + Scheduler.saturatedNanos(options.callLimit());
  }

  private void attempt() {
    readFirst = !observed.isOurs() || role == Role.CANDIDATE;
    if (readFirst) {
      read();
    } else {
      write(
          role == Role.LEADER
              ? observed.renewed(clock.instant())
              : observed.released(clock.instant()));
    }
  }

  private void read() {
    long begun = scheduler.nanoTime();
    CompletableFuture<Optional<LeaseRecord>> answer = ask(lock::read);
    call = new Call(begun, answer, null, null);
  }

  private void write(LeaseRecord record) {
    observed.trying(record);
    long begun = scheduler.nanoTime();
    CompletableFuture<LeaseRecord> answer = ask(() -> lock.write(record));
    call = new Call(begun, null, answer, null);
  }

  private <T> CompletableFuture<T> ask(Supplier<CompletableFuture<T>> question) {
    CompletableFuture<T> answer;
    try {
      answer = question.get();
    } catch (RuntimeException e) { // for example, the client is closed
      answer = CompletableFuture.failedFuture(e);
    }
    CompletableFuture<T> unused = answer.whenComplete((value, failure) -> wake.run());
    return answer;
  }

  /** Processes the response if it has arrived. Abandons the request if it has timed out. */
  private void settle() {
    Call current = call;
    if (current == null) {
      return;
    }
    if (!current.answer().isDone()) {
      if (deadline(current) - scheduler.nanoTime() <= 0) {
        call = null;
        current.answer().cancel(true);
        failed("the server has not answered within " + DurationText.of(options.callLimit()), null);
      }
      return;
    }
    call = null;
    Throwable failure = current.answer().handle((value, thrown) -> thrown).join();
    if (failure != null) {
      refused(current, LogText.cause(failure));
    } else if (current.read() != null) {
      seen(current.read().join());
    } else if (current.write() != null) {
      written(current.begun(), current.write().join());
    } else if (current.rival() != null) {
      cleared(current.rival().join());
    }
  }

  private void refused(Call refused, Throwable failure) {
    boolean changed = failure instanceof LeaseChangedException;
    if (changed && !readFirst) {
      readFirst = true;
      read(); // read the Lease to determine its state
    } else if (changed && role == Role.CANDIDATE) {
      reporter.well();
      rest(); // another replica was faster
    } else {
      failed(
          (refused.write() == null ? "reading it failed: " : "writing it failed: ")
              + LogText.of(failure),
          failure);
    }
  }

  private void failed(String what, @Nullable Throwable failure) {
    reporter.problem(what, failure);
    if (role != Role.LEAVING) {
      rest();
    } else if (readFirst) {
      end(false);
    } else {
      readFirst = true; // the write may have taken effect
      read();
    }
  }

  private void rest() {
    double spread = role == Role.CANDIDATE ? LeaderElectionOptions.JITTER * random.nextDouble() : 0;
    nextAttempt =
        scheduler.nanoTime()
            + (long) (Scheduler.saturatedNanos(options.retryPeriod()) * (1 + spread));
  }

  /** Processes a Lease that was read. Another client may have written its content. */
  private void seen(Optional<LeaseRecord> lease) {
    long now = scheduler.nanoTime();
    LeaseRecord record = lease.orElse(LeaseRecord.NONE);
    ObservedLease.Finding finding =
        observed.look(record, candidacy.observedAt(record.version(), now));
    reporter.holder(observed.holder(), observed.isOurs());
    switch (role) {
      case CANDIDATE -> {
        Duration held = observed.heldFor(now, idle.isDone());
        if (!held.isZero()) {
          reporter.well(); // for a candidate, a successful read ends the failure
          reporter.waits(observed.unchangedFor(now), held);
          rest();
        } else if (candidacy.mayClaim()) {
          write(observed.claimed(clock.instant()));
        } else if (observed.isOurs()) {
          write(observed.released(clock.instant()));
        }
      }
      case LEADER -> {
        if (finding == ObservedLease.Finding.OTHERS) {
          lose("it is held by another replica, " + LogText.oneLine(observed.holder()), null);
        } else {
          log.warn(
              "The lease {} {}; {} remains the leader",
              options.place(),
              finding.description(),
              identity());
          write(observed.claimed(clock.instant()));
        }
      }
      case LEAVING -> {
        if (finding == ObservedLease.Finding.OURS) {
          write(observed.released(clock.instant()));
        }
      }
      case RESTING, GONE -> {}
    }
  }

  private void written(long begun, LeaseRecord record) {
    observed.wrote(record);
    reporter.well();
    reporter.holder(observed.holder(), observed.isOurs());
    if (role == Role.LEAVING) {
      if (record.isFree()) {
        log.info("Released the lease {}", options.place());
        end(true);
      }
      nextAttempt = scheduler.nanoTime(); // the write began before the stop
      return;
    }
    if (role == Role.RESTING || role == Role.GONE) {
      return;
    }
    if (role == Role.LEADER) {
      if (fence.extend(begun)) {
        rest();
      } else { // the fence has closed, and callers may have noticed
        lose(options.notRenewed(), null);
      }
      return;
    }
    if (record.isFree()) {
      rest(); // the candidate has given way
      return;
    }
    claimedAt = begun;
    CompletableFuture<Optional<String>> answer = ask(candidacy::rival);
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      cleared(answer.join());
    } else {
      call = new Call(scheduler.nanoTime(), null, null, answer);
    }
  }

  /** Begins the term of a candidate that has claimed the lease, unless it has to give way. */
  private void cleared(Optional<String> rival) {
    boolean late =
        scheduler.nanoTime() - claimedAt >= Scheduler.saturatedNanos(options.renewDeadline());
    if (role != Role.CANDIDATE) {
      return;
    }
    if (rival.isPresent()) {
      log.info("{} gives the lease {} back: {}", identity(), options.place(), rival.get());
      write(observed.released(clock.instant()));
      return;
    }
    if (late) {
      nextAttempt = scheduler.nanoTime(); // too late, for example after a freeze: renew first
      return;
    }
    fence.open(claimedAt);
    role = Role.LEADER;
    rest();
    log.info("{} is now the leader for the lease {}", identity(), options.place());
    reporter.leads();
  }

  private void lose(String what, @Nullable Throwable failure) {
    fence.close(what);
    idle = fence.idle();
    observed.lost(scheduler.nanoTime());
    role = Role.RESTING;
    Call current = call;
    call = null;
    if (current != null) {
      if (!current.answer().isDone() && reporter.problemOr("").isEmpty()) {
        Duration waited = Duration.ofNanos(scheduler.nanoTime() - current.begun());
        reporter.problem("the server has not answered within " + DurationText.of(waited), null);
      }
      current.answer().cancel(true);
    }
    String cause = reporter.problemOr("");
    log.warn(
        "{} is no longer the leader for the lease {}: {}{}",
        identity(),
        options.place(),
        what,
        cause.isEmpty() ? "" : "; " + cause);
    reporter.lost(
        new LeadershipLostException(
            "the lease "
                + options.place()
                + " was lost: "
                + what
                + (cause.isEmpty() ? "" : "; " + cause),
            failure));
  }

  private void leaveNow(String why) {
    boolean led = role == Role.LEADER;
    // If the lease was lost because the server does not respond, let it expire. It expires soon,
    // and no component acts under it.
    boolean unreachable = role == Role.RESTING && !reporter.problemOr("").isEmpty();
    fence.close(why);
    idle = fence.idle();
    CompletableFuture<Void> unused = idle.thenRun(wake);
    role = Role.LEAVING;
    if (unreachable) {
      release = false;
    }
    nextAttempt = scheduler.nanoTime();
    if (led) {
      reporter.lost(
          new LeadershipLostException(
              "the lease " + options.place() + " is given up, because " + why));
    }
    readFirst = false;
    Call current = call;
    if (current != null && (current.read() != null || observed.isOurs())) {
      call = null; // the release does not wait for this request, and detects its effect
      current.answer().cancel(true);
    }
  }

  private void end(boolean clean) {
    if (release == null) {
      yielding = false;
      role = Role.CANDIDATE;
      rest();
      return;
    }
    if (!clean && Boolean.TRUE.equals(release)) {
      log.warn(
          "Failed to release the lease {}{}; it expires within {}",
          options.place(),
          reporter.problemOr("").isEmpty() ? "" : ": " + reporter.problemOr(""),
          DurationText.of(options.leaseDuration()));
    }
    role = Role.GONE;
    gone.complete(clean);
  }

  private String identity() {
    return observed.identity();
  }
}
