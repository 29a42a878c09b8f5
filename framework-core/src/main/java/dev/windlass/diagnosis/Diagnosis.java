// SPDX-License-Identifier: Apache-2.0
package dev.windlass.diagnosis;

import java.util.List;

/**
 * A snapshot of a manager. It describes the controllers with their pending and failing keys, the
 * caches, and the leases. It does not contain the content of objects. Error messages are shortened
 * to one line and do not contain addresses or tokens. Instances are immutable.
 *
 * @param versions the software versions
 * @param controllers the controllers, with one entry per controller
 * @param caches the caches, with one entry per informer; caches of other clusters come last
 * @param leases the leader elections, with one entry per election
 */
public record Diagnosis(
    Versions versions,
    List<ControllerDiagnosis> controllers,
    List<CacheDiagnosis> caches,
    List<LeaseDiagnosis> leases) {

  /** Creates a snapshot that holds unmodifiable copies of the given lists. */
  public Diagnosis {
    controllers = List.copyOf(controllers);
    caches = List.copyOf(caches);
    leases = List.copyOf(leases);
  }

  /**
   * Returns this snapshot as JSON. Durations are expressed in seconds, and empty values are
   * omitted.
   */
  public String json() {
    return JsonWriter.of(this);
  }
}
