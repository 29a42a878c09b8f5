// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.io.Serial;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Lease for which replicas compete. The methods do not block. Each method returns a future that
 * completes when the response arrives. Cancelling the future abandons the request.
 */
interface LeaseLock {

  /** Thrown if a write to a Lease fails because the Lease is not in the expected state. */
  final class LeaseChangedException extends Exception {

    @Serial private static final long serialVersionUID = 1;

    LeaseChangedException(String message) {
      super(message);
    }
  }

  /** Reads the Lease. The result is empty if the Lease does not exist. */
  CompletableFuture<Optional<LeaseRecord>> read();

  /**
   * Writes the Lease. If the record has a version, updates the Lease, provided that the Lease still
   * has this version. If the record has no version, creates the Lease, provided that it does not
   * exist. If the condition is not met, the future fails with a {@link LeaseChangedException}.
   *
   * @return the record that was written, with its new version
   */
  CompletableFuture<LeaseRecord> write(LeaseRecord record);
}
