// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.Optional;

/**
 * A snapshot of a leader election. Instances are immutable.
 *
 * @param lease the namespace and name of the lease
 * @param identity this replica's identity
 * @param leading whether this replica is the leader
 * @param terms the number of times that this replica has become the leader
 * @param holder the identity of the replica that held the lease when it was last read or written,
 *     or empty if there was none
 * @param problem the reason why the last attempt to read or write the lease failed, or empty if it
 *     succeeded
 */
public record LeaseDiagnosis(
    String lease,
    String identity,
    boolean leading,
    int terms,
    Optional<String> holder,
    Optional<String> problem) {}
