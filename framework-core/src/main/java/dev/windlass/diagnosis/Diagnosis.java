// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.List;

/**
 * How a manager is, at one moment: what it runs, what waits, what fails, and since when. Holds no
 * content of objects; texts of errors are one line each, cut, and without addresses and tokens.
 * Immutable.
 *
 * @param versions what runs here
 * @param controllers one for each controller
 * @param caches one for each list and watch, those of other clusters last
 * @param leases one for each election
 */
public record Diagnosis(
    Versions versions,
    List<ControllerDiagnosis> controllers,
    List<CacheDiagnosis> caches,
    List<LeaseDiagnosis> leases) {

  /** Takes copies. */
  public Diagnosis {
    controllers = List.copyOf(controllers);
    caches = List.copyOf(caches);
    leases = List.copyOf(leases);
  }

  /** The same as JSON, with durations in seconds, and without what is empty. */
  public String json() {
    return new JsonText().of(this);
  }
}
