// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the state of an election to its listener, in the log, and as a status. */
final class LeadershipReporter {

  private static final Logger log = LoggerFactory.getLogger(LeaderElector.class);

  private static final Duration REPEAT = Duration.ofMinutes(2);

  private final String place;
  private final LeaderListener listener;
  private final Scheduler scheduler;
  private volatile LeaderStatus status =
      new LeaderStatus(false, 0, Optional.empty(), Optional.empty());

  /**
   * The time of the last warning about the current failure, as a value of {@link
   * Scheduler#nanoTime}.
   */
  private long warnedAt;

  /** The time of the last line about a holder that does not renew the lease, likewise. */
  private long waitLoggedAt;

  LeadershipReporter(String place, LeaderListener listener, Scheduler scheduler) {
    this.place = place;
    this.listener = listener;
    this.scheduler = scheduler;
    this.waitLoggedAt = scheduler.nanoTime();
  }

  LeaderStatus status() {
    return status;
  }

  /**
   * Logs this replica's identity. The identity distinguishes a standby replica from the lease
   * holder in the log.
   */
  void competes(String identity) {
    log.info("Competing for the lease {} as {}", place, LogText.oneLine(identity));
  }

  void leads() {
    LeaderStatus before = status;
    status = new LeaderStatus(true, before.terms() + 1, before.holder(), before.problem());
    deliver(listener::startedLeading);
  }

  void lost(LeadershipLostException why) {
    LeaderStatus before = status;
    status = new LeaderStatus(false, before.terms(), before.holder(), before.problem());
    deliver(() -> listener.stoppedLeading(why));
  }

  /**
   * Publishes the lease holder.
   *
   * @param identity the holder's identity; empty if there is none
   * @param ours whether this replica is the holder; if true, only the {@link Election} logs the
   *     holder
   */
  void holder(String identity, boolean ours) {
    LeaderStatus before = status;
    Optional<String> holder = identity.isEmpty() ? Optional.empty() : Optional.of(identity);
    if (!holder.equals(before.holder())) {
      status = new LeaderStatus(before.leading(), before.terms(), holder, before.problem());
      holder.ifPresent(
          name -> {
            if (!ours) {
              log.info("The lease {} is held by another replica, {}", place, LogText.oneLine(name));
            }
            deliver(() -> listener.newLeader(name));
          });
    }
  }

  /**
   * Logs every 2 min that a holder does not renew the lease, and when this replica acquires it. The
   * holder may have stated a long lease duration.
   */
  void waits(Duration unchanged, Duration left) {
    long now = scheduler.nanoTime();
    Duration since = Duration.ofNanos(now - waitLoggedAt);
    if (since.compareTo(REPEAT) >= 0 && unchanged.compareTo(REPEAT) >= 0) {
      waitLoggedAt = now;
      log.info(
          "Waiting for the lease {}: {} has not renewed it for {}; acquiring it in {} unless it is"
              + " renewed",
          place,
          LogText.oneLine(status.holder().orElse("its last holder")),
          DurationText.of(unchanged.truncatedTo(ChronoUnit.SECONDS)),
          DurationText.of(left.truncatedTo(ChronoUnit.SECONDS)));
    }
  }

  /**
   * Reports a failure to access the lease. Logs a warning when the failure begins, and again every
   * 2 min while it lasts. Only one thread may call this method.
   */
  void problem(String what, @Nullable Throwable failure) {
    LeaderStatus before = status;
    long now = scheduler.nanoTime();
    String cause = what.endsWith(".") ? what.substring(0, what.length() - 1) : what;
    if (before.problem().isEmpty() || now - warnedAt >= REPEAT.toNanos()) {
      warnedAt = now;
      log.warn("Failed to access the lease {}: {}; retrying", place, cause);
    }
    log.debug(
        "Failed to access the lease {}: {}",
        place,
        cause,
        failure == null ? null : OneLine.of(failure));
    status =
        new LeaderStatus(before.leading(), before.terms(), before.holder(), Optional.of(cause));
  }

  void well() {
    LeaderStatus before = status;
    if (before.problem().isPresent()) {
      log.info("The lease {} is accessible again", place);
      status =
          new LeaderStatus(before.leading(), before.terms(), before.holder(), Optional.empty());
    }
  }

  String problemOr(String other) {
    return status.problem().orElse(other);
  }

  private void deliver(Runnable message) {
    try {
      message.run();
    } catch (RuntimeException e) {
      log.error("A listener of the lease {} failed; the election continues", place, e);
    }
  }
}
