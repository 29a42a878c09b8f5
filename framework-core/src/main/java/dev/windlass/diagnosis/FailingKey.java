// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A key whose last reconcile failed. Immutable.
 *
 * @param key the key of the object
 * @param error what the reconcile threw, on one line of at most 300 characters
 * @param times how often in a row it failed
 * @param ago how long ago it last failed
 * @param retryIn the time until the next attempt; empty if the key is ready, being processed, or
 *     not retried
 * @param reasons why the key is queued, the last few
 */
public record FailingKey(
    String key,
    String error,
    int times,
    Duration ago,
    Optional<Duration> retryIn,
    List<String> reasons) {

  /** Copies the reasons. */
  public FailingKey {
    reasons = List.copyOf(reasons);
  }
}
