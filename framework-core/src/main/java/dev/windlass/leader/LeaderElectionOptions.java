// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.DurationText;
import dev.windlass.scheduling.Scheduler;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link LeaderElector}. All replicas must use the same name, namespace and
 * durations. Instances are immutable. {@link #of} returns the default options.
 *
 * <p>Later versions may add settings.
 */
public final class LeaderElectionOptions {

  /**
   * The jitter of a candidate's reads. A candidate waits for the retry period and a random time of
   * up to 1.2 times the retry period, as in client-go ({@code JitterFactor}).
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

    /**
     * Rejects a value that could result in two leaders or prevent the election of a leader. The
     * exception's message states the value.
     */
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
   * Returns the default options for a Lease in the client's namespace.
   *
   * @throws IllegalArgumentException if the name is not valid for a Lease
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

  /** Returns a copy of these options for a Lease with the given name. */
  LeaderElectionOptions withName(String other) {
    return new LeaderElectionOptions(
        new Values(
            other,
            namespace(),
            identity(),
            leaseDuration(),
            renewDeadline(),
            retryPeriod(),
            releaseOnStop()));
  }

  /**
   * Returns a copy of these options with the given namespace for the Lease. If the namespace is
   * empty, the elector uses the client's namespace.
   *
   * @throws IllegalArgumentException if the name is not valid for a namespace
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
   * Returns a copy of these options with the given identity. The identity is this replica's name in
   * the Lease. By default, or if the identity is empty, the elector uses the host name. In a Pod,
   * the host name is the Pod's name. The elector appends a random suffix to distinguish replicas
   * that have the same identity.
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
   * Returns a copy of these options with the given durations.
   *
   * @param lease how long other replicas wait after the last observed renewal before one of them
   *     takes over. The default is 15 s, as in client-go, and the minimum is 1 s. The value in the
   *     Lease is rounded up to whole seconds
   * @param renew how long a replica remains the leader after the start of its last successful
   *     renewal. The default is 10 s, as in client-go
   * @param retry the interval at which the leader renews the Lease. Other replicas read the Lease
   *     at intervals of 1 to 2.2 times this duration. The default is 2 s, as in client-go
   * @throws IllegalArgumentException if the durations contradict each other; the message states the
   *     reason
   */
  public LeaderElectionOptions withDurations(Duration lease, Duration renew, Duration retry) {
    return new LeaderElectionOptions(
        new Values(name(), namespace(), identity(), lease, renew, retry, releaseOnStop()));
  }

  /**
   * Returns a copy of these options that disables the release of the lease when the leader stops.
   * The lease then expires, as it does by default in controller-runtime. Without this setting, the
   * leader releases the lease, and another replica can take over immediately.
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

  /** Returns the Lease's name. */
  public String name() {
    return values.name;
  }

  /** Returns the Lease's namespace, or an empty string to use the client's namespace. */
  public String namespace() {
    return values.namespace;
  }

  /**
   * Returns this replica's name in the Lease, without its random suffix, or an empty string to use
   * the host name.
   */
  public String identity() {
    return values.identity;
  }

  /**
   * Returns how long other replicas wait after the last observed renewal before one of them takes
   * over.
   */
  public Duration leaseDuration() {
    return values.leaseDuration;
  }

  /**
   * Returns how long a replica remains the leader after the start of its last successful renewal.
   */
  public Duration renewDeadline() {
    return values.renewDeadline;
  }

  /** Returns the interval at which the leader renews the Lease. */
  public Duration retryPeriod() {
    return values.retryPeriod;
  }

  /** Returns whether the leader releases the lease when it stops. */
  public boolean releaseOnStop() {
    return values.releaseOnStop;
  }

  /**
   * Returns the time limit of a request, which is half the renew deadline. Two requests are
   * therefore possible within the deadline, as in client-go.
   */
  Duration callLimit() {
    return values.renewDeadline.dividedBy(2);
  }

  /**
   * Returns the lease duration to write to the Lease. The result is {@link #leaseDuration()},
   * rounded up to whole seconds.
   */
  Duration stated() {
    long seconds = values.leaseDuration.toSeconds();
    Duration whole = Duration.ofSeconds(seconds);
    return whole.equals(values.leaseDuration) ? whole : Duration.ofSeconds(seconds + 1);
  }

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
