// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.time.DurationText;
import dev.windlass.time.Scheduler;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link LeaderElector}. All replicas must use the same name, namespace and
 * durations. Immutable; start from {@link #of}.
 *
 * <p>Further settings may be added in later versions.
 */
public final class LeaderElectionOptions {

  /**
   * By how much looking is spread: up to 1.2 times the retry period more (client-go {@code
   * JitterFactor}).
   */
  static final double JITTER = 1.2;

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);

  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private record Values(
      String name,
      String namespace,
      String identity,
      Duration leaseDuration,
      Duration renewDeadline,
      Duration retryPeriod,
      boolean releaseOnStop) {

    /** Refuses what could lead to two leaders, or to none, naming it. */
    Values {
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
      if (Scheduler.saturatedNanos(renewDeadline)
          <= JITTER * Scheduler.saturatedNanos(retryPeriod)) {
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
  }

  private final Values values;

  private LeaderElectionOptions(Values values) {
    this.values = values;
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

  /**
   * The defaults for a Lease of that name, in the namespace of the client.
   *
   * @throws IllegalArgumentException if no Lease can have the name
   */
  public static LeaderElectionOptions of(String name) {
    return new LeaderElectionOptions(
        new Values(
            name,
            "",
            "",
            Duration.ofSeconds(15),
            Duration.ofSeconds(10),
            Duration.ofSeconds(2),
            true));
  }

  /**
   * The same in another namespace; empty for that of the client.
   *
   * @throws IllegalArgumentException if that can't be the name of a namespace
   */
  public LeaderElectionOptions withNamespace(String other) {
    return new LeaderElectionOptions(
        new Values(
            name(),
            other,
            identity(),
            leaseDuration(),
            renewDeadline(),
            retryPeriod(),
            releaseOnStop()));
  }

  /**
   * The same with another identity: what this replica is called in the Lease; empty, the default,
   * for the name of the host, which in a Pod is the Pod's. A random suffix is appended, so that two
   * replicas which were given the same one do not take each other for themselves.
   */
  public LeaderElectionOptions withIdentity(String other) {
    return new LeaderElectionOptions(
        new Values(
            name(),
            namespace(),
            other,
            leaseDuration(),
            renewDeadline(),
            retryPeriod(),
            releaseOnStop()));
  }

  /**
   * The same with other durations.
   *
   * @param lease how long others wait after the last renewal that they have seen before one of them
   *     takes over; default 15 s (client-go), at least 1 s. The Lease states it in whole seconds,
   *     rounded up
   * @param renew how long after the start of its last successful renewal a replica leads; default
   *     10 s (client-go)
   * @param retry how often the leader renews; others look after 1 to 2.2 times as long. Default 2 s
   *     (client-go)
   * @throws IllegalArgumentException if they do not go together, saying why
   */
  public LeaderElectionOptions withDurations(Duration lease, Duration renew, Duration retry) {
    return new LeaderElectionOptions(
        new Values(name(), namespace(), identity(), lease, renew, retry, releaseOnStop()));
  }

  /**
   * The same, with a lease that expires after a stop. By default it is given back, so that another
   * replica can lead at once (controller-runtime: it expires).
   */
  public LeaderElectionOptions withoutReleaseOnStop() {
    return new LeaderElectionOptions(
        new Values(
            name(),
            namespace(),
            identity(),
            leaseDuration(),
            renewDeadline(),
            retryPeriod(),
            false));
  }

  /** The name of the Lease. */
  public String name() {
    return values.name;
  }

  /** The namespace of the Lease; empty for that of the client. */
  public String namespace() {
    return values.namespace;
  }

  /** What this replica is called in the Lease; empty for the name of the host. */
  public String identity() {
    return values.identity;
  }

  /** How long others wait after the last renewal that they have seen. */
  public Duration leaseDuration() {
    return values.leaseDuration;
  }

  /** How long after the start of its last successful renewal a replica leads. */
  public Duration renewDeadline() {
    return values.renewDeadline;
  }

  /** How often the leader renews. */
  public Duration retryPeriod() {
    return values.retryPeriod;
  }

  /** Whether a replica that stops gives the lease back. */
  public boolean releaseOnStop() {
    return values.releaseOnStop;
  }

  /** How long one request may take: half the renew deadline, so that two fit (client-go). */
  Duration callLimit() {
    return values.renewDeadline.dividedBy(2);
  }

  /** The lease duration as the Lease states it: no shorter than what we count on. */
  Duration stated() {
    long seconds = values.leaseDuration.toSeconds();
    Duration whole = Duration.ofSeconds(seconds);
    return whole.equals(values.leaseDuration) ? whole : Duration.ofSeconds(seconds + 1);
  }

  /** Namespace and name, for people. */
  String place() {
    return namespace().isEmpty() ? name() : namespace() + "/" + name();
  }

  String notRenewed() {
    return "it was not renewed within " + DurationText.of(renewDeadline());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LeaderElectionOptions that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return values.toString();
  }
}
