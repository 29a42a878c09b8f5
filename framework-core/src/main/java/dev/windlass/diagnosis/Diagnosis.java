// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.List;

/**
 * A snapshot of a manager: its controllers, caches and leases, with pending and failing keys.
 * Contains no object content. Error messages are one line each, truncated, and without addresses
 * and tokens. Immutable.
 *
 * @param versions the versions of the software
 * @param controllers one entry per controller
 * @param caches one entry per list and watch; those of other clusters last
 * @param leases one entry per election
 */
public record Diagnosis(
    Versions versions,
    List<ControllerDiagnosis> controllers,
    List<CacheDiagnosis> caches,
    List<LeaseDiagnosis> leases) {

  /** Copies the lists. */
  public Diagnosis {
    controllers = List.copyOf(controllers);
    caches = List.copyOf(caches);
    leases = List.copyOf(leases);
  }

  /** Returns the snapshot as JSON, with durations in seconds, and without empty values. */
  public String json() {
    return JsonText.of(this);
  }
}
