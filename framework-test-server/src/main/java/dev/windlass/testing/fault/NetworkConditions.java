// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The conditions of the network that a {@link TcpProxy} simulates.
 *
 * @param mode whether the network is working, cut or frozen
 * @param bytesPerSecond the maximum data rate from the server to each client
 * @param latency the delay of each byte from the server to a client
 * @param resetAfter the number of bytes that a connection delivers to the client before it is reset
 * @param answersLost whether to discard all bytes from the server
 * @param idleLimit the time after which a connection without traffic in either direction is closed
 */
record NetworkConditions(
    Mode mode,
    int bytesPerSecond,
    Duration latency,
    long resetAfter,
    boolean answersLost,
    Duration idleLimit) {

  /** The mode of the network, which is working ({@code WHOLE}), cut or frozen. */
  enum Mode {
    WHOLE,
    CUT,
    FROZEN
  }

  private static final Duration NEVER = Duration.ofDays(36_500);

  /** The conditions of a network without faults. */
  static final NetworkConditions CLEAR =
      new NetworkConditions(
          Mode.WHOLE, Integer.MAX_VALUE, Duration.ZERO, Long.MAX_VALUE, false, NEVER);

  boolean closesIdle() {
    return !idleLimit.equals(NEVER);
  }

  long latencyNanos() {
    return saturatedNanos(latency);
  }

  /** Converts a duration to nanoseconds. Durations of more than 100 years count as 100 years. */
  static long saturatedNanos(Duration duration) {
    return duration.compareTo(NEVER) < 0 ? duration.toNanos() : NEVER.toNanos();
  }

  /**
   * Returns the time that it takes to transfer the given number of bytes at the maximum data rate.
   */
  long nanosFor(int bytes) {
    return bytesPerSecond == Integer.MAX_VALUE
        ? 0
        : bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
  }

  NetworkConditions with(Mode other) {
    return new NetworkConditions(
        other, bytesPerSecond, latency, resetAfter, answersLost, idleLimit);
  }

  NetworkConditions withBytesPerSecond(int other) {
    return new NetworkConditions(mode, other, latency, resetAfter, answersLost, idleLimit);
  }

  NetworkConditions withLatency(Duration other) {
    return new NetworkConditions(mode, bytesPerSecond, other, resetAfter, answersLost, idleLimit);
  }

  NetworkConditions withResetAfter(long other) {
    return new NetworkConditions(mode, bytesPerSecond, latency, other, answersLost, idleLimit);
  }

  NetworkConditions withoutAnswers() {
    return new NetworkConditions(mode, bytesPerSecond, latency, resetAfter, true, idleLimit);
  }

  NetworkConditions withIdleLimit(Duration other) {
    return new NetworkConditions(mode, bytesPerSecond, latency, resetAfter, answersLost, other);
  }
}
