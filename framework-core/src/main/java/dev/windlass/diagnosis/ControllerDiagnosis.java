// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A snapshot of a controller. Immutable.
 *
 * @param name the name of the controller
 * @param ready whether its workers are running; false on a replica that does not lead
 * @param synced whether its sources have synced
 * @param problem what is wrong with sources and workers; empty if nothing is
 * @param workers how many keys may be processed at a time
 * @param queued how many keys are ready, by priority: {@code normal}, {@code low}, or how much
 *     later their turn is
 * @param delayed how many keys wait for their time
 * @param longestWait how long the key that has waited for longest has been ready
 * @param inWork the keys being processed, longest first, at most 100
 * @param failing the keys whose last reconcile failed, latest first, at most 100
 */
public record ControllerDiagnosis(
    String name,
    boolean ready,
    boolean synced,
    Optional<String> problem,
    int workers,
    Map<String, Integer> queued,
    int delayed,
    Duration longestWait,
    List<KeyInWork> inWork,
    List<FailingKey> failing) {

  /** Copies the collections. */
  public ControllerDiagnosis {
    queued = Collections.unmodifiableMap(new LinkedHashMap<>(queued));
    inWork = List.copyOf(inWork);
    failing = List.copyOf(failing);
  }
}
