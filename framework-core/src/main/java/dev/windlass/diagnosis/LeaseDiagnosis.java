// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.Optional;

/**
 * How an election is, at one moment. Immutable.
 *
 * @param lease namespace and name
 * @param identity what this replica is called
 * @param leading whether this replica leads
 * @param terms how often it has begun to
 * @param holder who held the lease when it was last read or written
 * @param trouble why the last attempt to read or write it failed; empty if it did not
 */
public record LeaseDiagnosis(
    String lease,
    String identity,
    boolean leading,
    int terms,
    Optional<String> holder,
    Optional<String> trouble) {}
