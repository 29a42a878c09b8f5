// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.monitoring;

import dev.windlass.controller.keys.KeyState;
import dev.windlass.controller.keys.OwnedKeys;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.logging.OneLine;
import dev.windlass.workqueue.Priority;
import dev.windlass.workqueue.WorkQueue;
import dev.windlass.workqueue.WorkQueue.DelayedKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates snapshots of a controller's state for diagnosis. */
public final class ControllerDiagnosisCollector {

  /**
   * The maximum number of delayed keys in which the collector searches for failing requests:
   * 10,000. The collector begins with the keys that are due first.
   */
  private static final int LOOKED_AT = 10_000;

  /** The maximum numbers of running reconciles and of failing requests in a diagnosis: 100. */
  private static final int MOST = 100;

  private ControllerDiagnosisCollector() {}

  public static ControllerDiagnosis of(ControllerConfig config, ControllerRun run) {
    int workers = config.options().maxConcurrentReconciles;
    OwnedKeys keys = run.keys();
    WorkQueue<Request> queue = keys.queue();
    return new ControllerDiagnosis(
        config.name(),
        run.isReady(),
        run.hasSynced(),
        run.problem().map(SafeCauseText::clean),
        workers,
        depths(queue.lengths()),
        queue.delayed(),
        queue.longestWait(),
        inWork(run),
        failing(keys));
  }

  private static Map<String, Integer> depths(Map<Priority, Integer> lengths) {
    Map<String, Integer> depths = new LinkedHashMap<>();
    lengths.forEach((priority, depth) -> depths.put(priority.toString(), depth));
    return depths;
  }

  private static List<ControllerDiagnosis.KeyInWork> inWork(ControllerRun run) {
    return run.watchdog().active().stream()
        .sorted(Comparator.comparing(ActiveReconcile::elapsed).reversed())
        .limit(MOST)
        .map(
            active ->
                new ControllerDiagnosis.KeyInWork(
                    OneLine.of(active.request().toString()),
                    active.reconcileId(),
                    active.elapsed(),
                    active.attempt(),
                    active.timedOut(),
                    active.stuck(),
                    texts(active.reasons())))
        .toList();
  }

  private static List<ControllerDiagnosis.FailingKey> failing(OwnedKeys keys) {
    List<OwnedKeys.Failure> failures =
        keys.failures().stream()
            .sorted(Comparator.comparing(OwnedKeys.Failure::ago))
            .limit(MOST)
            .toList();
    Map<Request, Duration> dueIn = new HashMap<>();
    if (!failures.isEmpty()) {
      for (DelayedKey<Request> delayed : keys.queue().delayedKeys(LOOKED_AT)) {
        dueIn.put(delayed.key(), delayed.dueIn());
      }
    }
    return failures.stream()
        .map(
            failure ->
                new ControllerDiagnosis.FailingKey(
                    OneLine.of(failure.request().toString()),
                    failure.error(),
                    failure.times(),
                    failure.ago(),
                    Optional.ofNullable(dueIn.get(failure.request())),
                    texts(keys.queue().record(failure.request(), KeyState::reasons))))
        .toList();
  }

  private static List<String> texts(List<?> reasons) {
    return reasons.stream().map(String::valueOf).map(SafeCauseText::clean).toList();
  }
}
