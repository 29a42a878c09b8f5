// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.Optional;

/**
 * How a cache is, at one moment. Immutable.
 *
 * @param cluster the name of the cluster, empty for the manager's own
 * @param type of the objects, such as {@code deployments.apps}
 * @param namespace empty for all
 * @param synced whether it holds what the first list held
 * @param trouble why it is not up to date; empty if it is
 * @param objects how many it holds
 * @param bytes of JSON that it holds for them
 * @param lag how long the change has waited that waits longest to get in
 * @param watchAge how old the open watch is; empty if none is open
 * @param sinceEvent when the last change arrived; empty if none has
 * @param relists how often everything was listed again
 * @param lastList why the last list was asked for; empty before the first one
 * @param sinceList when that was
 */
public record CacheDiagnosis(
    String cluster,
    String type,
    String namespace,
    boolean synced,
    Optional<String> trouble,
    int objects,
    long bytes,
    Duration lag,
    Optional<Duration> watchAge,
    Optional<Duration> sinceEvent,
    long relists,
    Optional<String> lastList,
    Optional<Duration> sinceList) {}
