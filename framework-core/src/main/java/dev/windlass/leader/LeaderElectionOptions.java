// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.time.DurationText;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The settings of a {@link LeaderElector}. All replicas must use the same name, namespace and
 * durations. Immutable; start from {@link #of}.
 *
 * @param name of the Lease
 * @param namespace of the Lease; empty, the default, for that of the client
 * @param identity what this replica is called in the Lease; empty, the default, for the name of the
 *     host, which in a Pod is the Pod's. A random suffix is appended, so that two replicas which
 *     were given the same one do not take each other for themselves
 * @param leaseDuration how long others wait after the last renewal that they have seen before one
 *     of them takes over; default 15 s (client-go), at least 1 s. The Lease states it in whole
 *     seconds, rounded up
 * @param renewDeadline how long after the start of its last successful renewal a replica leads;
 *     default 10 s (client-go)
 * @param retryPeriod how often the leader renews; others look after 1 to 2.2 times as long. Default
 *     2 s (client-go)
 * @param releaseOnStop whether a replica that stops gives the lease back, so that another one can
 *     lead at once; default true (controller-runtime: false)
 */
public record LeaderElectionOptions(
    String name,
    String namespace,
    String identity,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod,
    boolean releaseOnStop) {

  /**
   * By how much looking is spread: up to 1.2 times the retry period more (client-go {@code
   * JitterFactor}).
   */
  static final double JITTER = 1.2;

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** Refuses what could lead to two leaders, or to none, naming it. */
  public LeaderElectionOptions {
    requireName(name, "name of a lease", 253);
    if (!namespace.isEmpty()) {
      requireName(namespace, "namespace of a lease", 63);
    }
    if (leaseDuration.compareTo(SHORTEST_LEASE) < 0) {
      throw new IllegalArgumentException(
          "the lease duration must be at least "
              + DurationText.of(SHORTEST_LEASE)
              + ", not "
              + DurationText.of(leaseDuration));
    }
    if (renewDeadline.compareTo(leaseDuration) >= 0) {
      throw new IllegalArgumentException(
          "the lease duration "
              + DurationText.of(leaseDuration)
              + " must be longer than the renew deadline "
              + DurationText.of(renewDeadline)
              + ", or another replica leads before this one has stopped");
    }
    if (retryPeriod.isZero() || retryPeriod.isNegative()) {
      throw new IllegalArgumentException(
          "the retry period must be more than zero: " + DurationText.of(retryPeriod));
    }
    if (Scheduler.saturatedNanos(renewDeadline) <= JITTER * Scheduler.saturatedNanos(retryPeriod)) {
      throw new IllegalArgumentException(
          "the renew deadline "
              + DurationText.of(renewDeadline)
              + " must be longer than "
              + JITTER
              + " times the retry period "
              + DurationText.of(retryPeriod)
              + ", or there is no time to renew");
    }
  }

  private static void requireName(String value, String what, int longest) {
    if (value.length() > longest || !NAME.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "'"
              + value
              + "' can't be the "
              + what
              + ": use at most "
              + longest
              + " lower-case letters, digits, '-' and '.', beginning and ending with a letter or"
              + " digit");
    }
  }

  /** The defaults for a Lease of that name. */
  public static LeaderElectionOptions of(String name) {
    return new LeaderElectionOptions(
        name, "", "", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2), true);
  }

  /** The same in another namespace. */
  public LeaderElectionOptions withNamespace(String other) {
    return new LeaderElectionOptions(
        name, other, identity, leaseDuration, renewDeadline, retryPeriod, releaseOnStop);
  }

  /** The same with another identity. */
  public LeaderElectionOptions withIdentity(String other) {
    return new LeaderElectionOptions(
        name, namespace, other, leaseDuration, renewDeadline, retryPeriod, releaseOnStop);
  }

  /** The same with other durations, which must go together. */
  public LeaderElectionOptions withDurations(Duration lease, Duration renew, Duration retry) {
    return new LeaderElectionOptions(name, namespace, identity, lease, renew, retry, releaseOnStop);
  }

  /** The same with the lease given back at a stop, or left to expire. */
  public LeaderElectionOptions withReleaseOnStop(boolean release) {
    return new LeaderElectionOptions(
        name, namespace, identity, leaseDuration, renewDeadline, retryPeriod, release);
  }

  /** How long one request may take: half the renew deadline, so that two fit (client-go). */
  Duration callLimit() {
    return renewDeadline.dividedBy(2);
  }

  /** The lease duration as the Lease states it: no shorter than what we count on. */
  Duration stated() {
    long seconds = leaseDuration.toSeconds();
    Duration whole = Duration.ofSeconds(seconds);
    return whole.equals(leaseDuration) ? whole : Duration.ofSeconds(seconds + 1);
  }

  /** Namespace and name, for people. */
  String place() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }

  String notRenewed() {
    return "it was not renewed within " + DurationText.of(renewDeadline);
  }
}
