// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A key whose last reconcile failed. Immutable.
 *
 * @param key of the object
 * @param error what the reconcile threw, one line of 300 characters at most
 * @param times how often in a row it failed
 * @param ago how long ago it failed last
 * @param retryIn when it is tried again; empty if it is ready, in work, or not tried again
 * @param reasons why it is queued, the last few
 */
public record FailingKey(
    String key,
    String error,
    int times,
    Duration ago,
    Optional<Duration> retryIn,
    List<String> reasons) {

  /** Takes a copy. */
  public FailingKey {
    reasons = List.copyOf(reasons);
  }
}
