// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;

/**
 * A snapshot of the election, as observed by one elector.
 *
 * @param leading whether this replica leads
 * @param terms the number of times that this replica has become the leader
 * @param holder the holder of the lease when it was last read or written; empty if there was none
 * @param problem the failure cause of the last attempt to read or write the lease; empty if the
 *     attempt succeeded
 */
public record LeaderStatus(
    boolean leading, int terms, Optional<String> holder, Optional<String> problem) {}
