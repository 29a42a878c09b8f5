// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Lease that replicas compete for. No call blocks: the response arrives later; cancelling the
 * future abandons the request.
 */
interface LeaseLock {

  /** Reads the Lease; empty if it does not exist. */
  CompletableFuture<Optional<LeaseRecord>> read();

  /**
   * Writes the Lease if it still has the version of the record or, if that version is empty, if no
   * Lease exists. Otherwise the future fails with a {@link LeaseChangedException}.
   *
   * @return the record that was written, with its new version
   */
  CompletableFuture<LeaseRecord> write(LeaseRecord record);
}
