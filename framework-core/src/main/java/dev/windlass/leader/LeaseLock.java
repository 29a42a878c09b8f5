// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Lease that replicas compete for. No call blocks: its response arrives later, and may be given
 * up by cancelling the future.
 */
interface LeaseLock {

  /** Reads the Lease; empty if it does not exist. */
  CompletableFuture<Optional<LeaseRecord>> read();

  /**
   * Writes the Lease if it still has the version of the record, or, if that is empty, if no Lease
   * exists. Otherwise fails with {@link LeaseChangedException}.
   *
   * @return what was written, with its new version
   */
  CompletableFuture<LeaseRecord> write(LeaseRecord record);
}
