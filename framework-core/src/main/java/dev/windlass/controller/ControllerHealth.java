// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.RunState;
import dev.windlass.health.Lasting;
import dev.windlass.health.PulseWatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Tells what a restart would cure of a controller (dead workers, or all of them held by reconciles
 * that do not react, loops of sources that have ended or hang) from what may pass (sources). Thread
 * safe.
 */
final class ControllerHealth {

  /** How long a source that has synced may be in trouble before somebody hears of it: 30 s. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ControllerConfig config;
  private final PulseWatch pulses;
  private final Lasting troubles;

  ControllerHealth(ControllerConfig config) {
    this.config = config;
    this.pulses = new PulseWatch(config.scheduler());
    this.troubles = new Lasting(config.scheduler(), PATIENCE);
  }

  /** What nothing but a restart cures. */
  Optional<String> liveness(ControllerRun run, Duration wedgedAfter) {
    if (run.state().isStopping()) {
      return Optional.empty();
    }
    Optional<String> loops = pulses.trouble(run.pulses());
    if (loops.isPresent() || !run.isReady()) {
      return loops;
    }
    int workers = run.state().workers().alive().size();
    int wanted = config.options().maxConcurrentReconciles();
    if (workers < wanted) {
      return Optional.of(
          "only %d of %d workers of controller %s are left"
              .formatted(workers, wanted, config.name()));
    }
    Duration wedged = wedged(run.state(), workers);
    return wedged.compareTo(wedgedAfter) < 0
        ? Optional.empty()
        : Optional.of(
            "all %d workers of controller %s have been held for %d s past their time-out by reconciles that do not react to it"
                .formatted(workers, config.name(), wedged.toSeconds()));
  }

  /** How long no worker has been free, nor held by anything that may end; negative if one is. */
  private Duration wedged(RunState state, int workers) {
    List<ActiveReconcile> stuck =
        state.watchdog().active().stream().filter(ActiveReconcile::stuck).toList();
    Duration never = Duration.ofNanos(-1);
    return stuck.size() < workers
        ? never
        : stuck.stream()
            .map(reconcile -> reconcile.elapsed().minus(config.options().reconcileTimeout()))
            .min(Duration::compareTo)
            .orElse(never);
  }

  /** What keeps it from its work, and may pass. */
  Optional<String> readiness(ControllerRun run) {
    if (run.state().isStopping()) {
      return Optional.empty();
    }
    Map<String, String> wrong = run.sourceTroubles();
    List<String> unsynced = run.unsynced();
    if (!unsynced.isEmpty()) {
      String why =
          unsynced.stream()
              .map(source -> wrong.getOrDefault(source, source))
              .collect(Collectors.joining("; "));
      return Optional.of("not synced: " + why);
    }
    if (run.isHeldUp()) {
      return Optional.of(ControllerRun.OUTLASTING);
    }
    String lasting =
        troubles.of(wrong.keySet().stream()).stream()
            .sorted()
            .map(source -> wrong.getOrDefault(source, source))
            .collect(Collectors.joining("; "));
    return lasting.isEmpty() ? Optional.empty() : Optional.of(lasting);
  }
}
