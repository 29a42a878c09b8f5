// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.Optional;

/**
 * A snapshot of a cache. Immutable.
 *
 * @param cluster the name of the cluster; empty for the manager's own cluster
 * @param type the type of the objects, such as {@code deployments.apps}
 * @param namespace empty for all namespaces
 * @param synced whether the cache contains the result of the first list
 * @param problem why the cache is not up to date; empty if it is
 * @param objects how many objects the cache holds
 * @param bytes how many bytes of JSON the cache holds for them
 * @param lag how long the oldest pending change has waited to enter the cache
 * @param watchAge how long the current watch has been open; empty if none is open
 * @param sinceEvent how long ago the last change arrived; empty if none has
 * @param relists how often all objects were listed again
 * @param lastList why the last list was requested; empty before the first one
 * @param sinceList how long ago the last list was requested; empty before the first one
 */
public record CacheDiagnosis(
    String cluster,
    String type,
    String namespace,
    boolean synced,
    Optional<String> problem,
    int objects,
    long bytes,
    Duration lag,
    Optional<Duration> watchAge,
    Optional<Duration> sinceEvent,
    long relists,
    Optional<String> lastList,
    Optional<Duration> sinceList) {}
