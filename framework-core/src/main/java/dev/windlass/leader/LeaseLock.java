// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Lease for which replicas compete. The methods do not block. The response completes the
 * future, and cancelling the future abandons the request.
 */
interface LeaseLock {

  /** Reads the Lease. The result is empty if the Lease does not exist. */
  CompletableFuture<Optional<LeaseRecord>> read();

  /**
   * Writes the Lease if it has the same version as the record. If the record does not have a
   * version, creates the Lease, provided that it does not exist. Otherwise, the future fails with a
   * {@link LeaseChangedException}.
   *
   * @return the record that was written, with its new version
   */
  CompletableFuture<LeaseRecord> write(LeaseRecord record);
}
