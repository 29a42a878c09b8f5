// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import java.util.Optional;

/**
 * What an elector knows; a snapshot.
 *
 * @param leading whether this replica leads
 * @param terms how often it has begun to lead
 * @param holder who held the lease when it was last read or written; empty if nobody did
 * @param trouble why the last attempt to read or write the lease failed; empty if it did not
 */
public record LeaderStatus(
    boolean leading, int terms, Optional<String> holder, Optional<String> trouble) {}
