// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.monitoring;

import dev.windlass.controller.running.ActiveReconcile;
import dev.windlass.controller.running.ControllerRun;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.health.checks.HeartbeatWatch;
import dev.windlass.health.checks.PersistentProblems;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Checks the liveness and readiness of a controller. The liveness check reports problems that only
 * a restart can solve: workers that have terminated, stuck reconciles that block all workers, and
 * source loops that have terminated or hang. The readiness check reports problems that may be
 * temporary: those of sources, and reconciles that block all workers of a controller without a
 * reconcile time-out. This class is thread-safe.
 */
public final class ControllerHealth {

  /**
   * The time for which a synced source must have had a problem before the readiness check reports
   * it: 30 s.
   */
  public static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * The time after which a controller without a reconcile time-out is not ready, if all its workers
   * have been in the same reconciles: 10 min.
   */
  public static final Duration SAME_RECONCILES = Duration.ofMinutes(10);

  /** The time after its interrupt that a reconcile has to end after the loss of the lease: 30 s. */
  static final Duration OUTLASTING = Duration.ofSeconds(30);

  /** The maximum number of reconciles that a message names. */
  private static final int NAMED = 5;

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
    Optional<String> loops = heartbeats.problem(run.heartbeats());
    if (loops.isPresent()) {
      return loops;
    }
    if (!run.isReady() && !config.leading().isSharded()) {
      return run.watchdog().active().stream()
          .filter(reconcile -> reconcile.sinceInterrupt().compareTo(OUTLASTING) >= 0)
          .findFirst()
          .map(reconcile -> reconcile + " ignores its interrupt after the loss of the lease");
    }
    int missing = run.workers().missing();
    int wanted = config.options().maxConcurrentReconciles;
    if (missing > 0) {
      return Optional.of(
          "only %d of %d workers of controller %s are running"
              .formatted(wanted - missing, wanted, config.name()));
    }
    Duration timeout = config.options().reconcileTimeout;
    return blocked(run, timeout.plus(wedgedAfter), ActiveReconcile::stuck)
        .map(stuck -> allWorkers("are blocked: their reconciles ignore the interrupt: ", stuck));
  }

  /**
   * Returns a description of the reconciles that block all workers, or empty if a worker is free.
   *
   * @param after the time for which such a reconcile has been running
   * @param which selects the reconciles that count
   */
  private Optional<String> blocked(
      ControllerRun run, Duration after, Predicate<ActiveReconcile> which) {
    List<ActiveReconcile> blocking =
        run.watchdog().active().stream()
            .filter(which)
            .filter(reconcile -> reconcile.elapsed().compareTo(after) >= 0)
            .toList();
    if (blocking.size() < config.options().maxConcurrentReconciles) {
      return Optional.empty();
    }
    String names =
        blocking.stream()
            .limit(NAMED)
            .map(reconcile -> reconcile + " for " + reconcile.elapsed().toSeconds() + " s")
            .collect(Collectors.joining(", "));
    return Optional.of(blocking.size() > NAMED ? names + ", ..." : names);
  }

  private String allWorkers(String are, String reconciles) {
    return "all %d workers of controller %s %s%s"
        .formatted(config.options().maxConcurrentReconciles, config.name(), are, reconciles);
  }

  /**
   * Returns a description of a problem that prevents the controller from working, but may be
   * temporary. Returns empty if there is none.
   */
  public Optional<String> readiness(ControllerRun run) {
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
      return Optional.of(ControllerRun.HELD_UP);
    }
    if (config.options().reconcileTimeout.isZero()) {
      Optional<String> hanging = blocked(run, SAME_RECONCILES, reconcile -> true);
      if (hanging.isPresent()) {
        return Optional.of(
            allWorkers("have been in the same reconciles for over 10 min: ", hanging.get()));
      }
    }
    String lasting =
        problems.of(wrong.keySet().stream()).stream()
            .sorted()
            .map(source -> wrong.getOrDefault(source, source))
            .collect(Collectors.joining("; "));
    return lasting.isEmpty() ? Optional.empty() : Optional.of(lasting);
  }
}
