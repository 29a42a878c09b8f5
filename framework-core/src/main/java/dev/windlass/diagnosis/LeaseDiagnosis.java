// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.Optional;

/**
 * A snapshot of a leader election. Immutable.
 *
 * @param lease namespace and name of the lease
 * @param identity the identity of this replica
 * @param leading whether this replica leads
 * @param terms how often this replica has become the leader
 * @param holder the holder of the lease when it was last read or written
 * @param problem why the last attempt to read or write the lease failed; empty if it succeeded
 */
public record LeaseDiagnosis(
    String lease,
    String identity,
    boolean leading,
    int terms,
    Optional<String> holder,
    Optional<String> problem) {}
