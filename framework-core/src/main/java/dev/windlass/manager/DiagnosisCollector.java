// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.diagnosis.CacheDiagnosis;
import dev.windlass.diagnosis.Diagnosis;
import dev.windlass.diagnosis.DiagnosisSource;
import dev.windlass.diagnosis.LeaseDiagnosis;
import dev.windlass.diagnosis.Versions;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.informer.InformerStatus;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.LeaderStatus;
import dev.windlass.logging.OneLine;
import java.util.Optional;

/** Collects the diagnosis of a manager from its components, caches and leases. */
final class DiagnosisCollector {

  private final MonitoringContext manager;

  DiagnosisCollector(MonitoringContext manager) {
    this.manager = manager;
  }

  /** Returns a snapshot of the manager's current state. This method does not send requests. */
  Diagnosis now() {
    return new Diagnosis(
        Versions.ofProcess(manager.permissions().serverVersion()),
        manager.components().of(DiagnosisSource.class).stream()
            .map(DiagnosisSource::diagnosis)
            .toList(),
        manager.caches().stream().map(DiagnosisCollector::of).toList(),
        manager.groups().stream().map(DiagnosisCollector::of).toList());
  }

  private static CacheDiagnosis of(MonitoringContext.NamedCache cache) {
    InformerStatus status = cache.informer().status();
    Optional<InformerStatus.LastList> list = cache.informer().lastList();
    String namespace = cache.informer().scope().namespace();
    return new CacheDiagnosis(
        cache.cluster(),
        cache.informer().type().resource(),
        namespace == null ? "" : namespace,
        selector(cache.informer().scope()),
        status.synced(),
        status.problem().map(String::valueOf).map(SafeCauseText::clean),
        status.objects(),
        status.bytes(),
        status.lag(),
        status.watchAge(),
        status.sinceEvent(),
        status.relists(),
        list.map(last -> last.reason().name()),
        list.map(InformerStatus.LastList::ago));
  }

  private static Optional<String> selector(WatchScope scope) {
    return scope.selectsAll()
        ? Optional.empty()
        : Optional.of(SafeCauseText.clean(scope.selection().replaceFirst(" with ", "")));
  }

  private static LeaseDiagnosis of(LeaderGroup group) {
    LeaderStatus status = group.status();
    return new LeaseDiagnosis(
        group.lease(),
        group.identity(),
        status.leading(),
        status.terms(),
        status.holder().map(holder -> OneLine.of(holder, SafeCauseText.LONGEST)),
        status.problem().or(group::waiting).map(SafeCauseText::clean));
  }
}
