// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.monitoring;

import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerConfig;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.running.RunContext;
import dev.windlass.health.checks.HeartbeatWatch;
import dev.windlass.health.checks.PersistentProblems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Checks the liveness and readiness of a controller. The liveness check reports problems that only
 * a restart can solve: workers that have terminated, stuck reconciles that block all workers, and
 * source loops that have terminated or hang. The readiness check reports problems of sources, which
 * may be temporary. This class is thread-safe.
 */
public final class ControllerHealth {

  /**
   * The time for which a synced source must have had a problem before the readiness check reports
   * it: 30 s.
   */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ControllerConfig config;
  private final HeartbeatWatch heartbeats;
  private final PersistentProblems problems;

  public ControllerHealth(ControllerConfig config) {
    this.config = config;
    this.heartbeats = new HeartbeatWatch(config.scheduler());
    this.problems = new PersistentProblems(config.scheduler(), PATIENCE);
  }

  /**
   * Returns a description of a problem that only a restart can solve, or empty if there is none.
   *
   * @param wedgedAfter the minimum time for which stuck reconciles must block all workers before
   *     this method reports the problem, counted from the time-outs of these reconciles
   */
  public Optional<String> liveness(ControllerRun run, Duration wedgedAfter) {
    if (run.state().isStopping()) {
      return Optional.empty();
    }
    Optional<String> loops = heartbeats.problem(run.heartbeats());
    if (loops.isPresent() || !run.isReady()) {
      return loops;
    }
    int workers = run.state().workers().alive().size();
    int wanted = config.options().maxConcurrentReconciles();
    if (workers < wanted) {
      return Optional.of(
          "only %d of %d workers of controller %s are running"
              .formatted(workers, wanted, config.name()));
    }
    Duration wedged = wedged(run.state(), workers);
    return wedged.compareTo(wedgedAfter) < 0
        ? Optional.empty()
        : Optional.of(
            "all %d workers of controller %s are blocked: their reconciles have ignored the time-out for %d s"
                .formatted(workers, config.name(), wedged.toSeconds()));
  }

  /**
   * Returns how long stuck reconciles have blocked all workers, measured from the last of their
   * time-outs. Returns a negative duration if a worker is not blocked by a stuck reconcile.
   */
  private Duration wedged(RunContext state, int workers) {
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

  /**
   * Returns a description of a problem that prevents the controller from working, but may be
   * temporary. Returns empty if there is none.
   */
  public Optional<String> readiness(ControllerRun run) {
    if (run.state().isStopping()) {
      return Optional.empty();
    }
    Map<String, String> wrong = run.sourceProblems();
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
        problems.of(wrong.keySet().stream()).stream()
            .sorted()
            .map(source -> wrong.getOrDefault(source, source))
            .collect(Collectors.joining("; "));
    return lasting.isEmpty() ? Optional.empty() : Optional.of(lasting);
  }
}
