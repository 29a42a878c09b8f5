// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The Lease that replicas compete for. No call waits: its answer comes later, and may be given up
 * by cancelling it.
 */
interface LeaseLock {

  /** The Lease as it is; empty if there is none. */
  CompletableFuture<Optional<LeaseRecord>> read();

  /**
   * Writes the Lease, on condition that it still has the version of the record, or, if that is
   * empty, that there is none. Otherwise it fails with {@link LeaseChangedException}.
   *
   * @return what was written, with its new version
   */
  CompletableFuture<LeaseRecord> write(LeaseRecord record);
}
