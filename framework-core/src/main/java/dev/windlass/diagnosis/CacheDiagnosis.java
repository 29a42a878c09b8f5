// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.Optional;

/**
 * A snapshot of a cache. Instances are immutable.
 *
 * @param cluster the cluster name, or empty for the program's own cluster
 * @param type the objects' type, such as {@code deployments.apps}
 * @param namespace the watched namespace, or empty for all namespaces
 * @param selector the selectors of the watch, such as {@code labels app=web}, or empty for all
 *     objects
 * @param synced whether the cache contains the result of the initial list
 * @param problem the reason why the cache is not up to date, or empty if there is none
 * @param objects the number of objects in the cache
 * @param bytes the total size of the cached objects as JSON, in bytes
 * @param lag how long the oldest pending change has been waiting to be applied to the cache
 * @param watchAge the time since the current watch was opened, or empty if no watch is open
 * @param sinceEvent the time since the last change arrived, or empty if no change has arrived
 * @param relists the number of times that all objects have been listed since the initial list
 * @param lastList the reason for the latest list, or empty before the initial list
 * @param sinceList the time since the latest list was requested, or empty before the initial list
 */
public record CacheDiagnosis(
    String cluster,
    String type,
    String namespace,
    Optional<String> selector,
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
