// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.diagnosis.CacheDiagnosis;
import dev.windlass.diagnosis.Diagnosed;
import dev.windlass.diagnosis.Diagnosis;
import dev.windlass.diagnosis.LeaseDiagnosis;
import dev.windlass.diagnosis.Versions;
import dev.windlass.health.checks.CauseText;
import dev.windlass.informer.InformerStatus;
import dev.windlass.informer.LastList;
import dev.windlass.leader.LeaderStatus;
import dev.windlass.logging.OneLine;
import java.util.Optional;

/** Creates the diagnosis of a manager. */
final class Diagnoses {

  private final ManagerParts parts;

  Diagnoses(ManagerParts parts) {
    this.parts = parts;
  }

  /** Returns the current state of the manager. Sends no requests. */
  Diagnosis now() {
    return new Diagnosis(
        Versions.ofProcess(parts.permissions().serverVersion()),
        parts.components().of(Diagnosed.class).stream().map(Diagnosed::diagnosis).toList(),
        parts.caches().stream().map(Diagnoses::of).toList(),
        parts.groups().stream().map(Diagnoses::of).toList());
  }

  private static CacheDiagnosis of(ManagerParts.NamedCache cache) {
    InformerStatus status = cache.informer().status();
    Optional<LastList> list = cache.informer().lastList();
    String namespace = cache.informer().scope().namespace();
    return new CacheDiagnosis(
        cache.cluster(),
        cache.informer().type().resource(),
        namespace == null ? "" : namespace,
        status.synced(),
        status.problem().map(String::valueOf).map(CauseText::clean),
        status.objects(),
        status.bytes(),
        status.lag(),
        status.watchAge(),
        status.sinceEvent(),
        status.relists(),
        list.map(last -> last.reason().name()),
        list.map(LastList::ago));
  }

  private static LeaseDiagnosis of(LeaderGroup group) {
    LeaderStatus status = group.status();
    return new LeaseDiagnosis(
        group.lease(),
        group.identity(),
        status.leading(),
        status.terms(),
        status.holder().map(holder -> OneLine.of(holder, CauseText.LONGEST)),
        status.problem().map(CauseText::clean));
  }
}
