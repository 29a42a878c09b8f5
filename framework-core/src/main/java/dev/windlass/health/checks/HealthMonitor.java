// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health.checks;

import dev.windlass.health.HealthCheck;
import dev.windlass.scheduling.LoopStep;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs all checks every 10 s, even if no probe arrives, and logs each check that begins to fail or
 * succeeds again. The regular runs are necessary because some checks compare the current state with
 * the state at their previous run. The monitor does not log a readiness check that fails in its
 * first run, because the component has usually just started.
 */
public final class HealthMonitor implements LoopStep {

  /** The interval between runs of the checks: 10 s. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(Health.class);

  private final Health health;
  private final Consumer<Map<String, String>> onDead;

  /** The last outcome of each check, keyed by the check's kind and name. */
  private final Map<String, Optional<String>> before = new HashMap<>();

  /**
   * Creates a monitor that has not run the checks yet.
   *
   * @param onDead receives, after each run, the causes of the failing liveness checks, keyed by the
   *     check's name
   */
  public HealthMonitor(Health health, Consumer<Map<String, String>> onDead) {
    this.health = health;
    this.onDead = onDead;
  }

  @Override
  public StepDelay run() throws InterruptedException {
    look(HealthCheck.Kind.READY, "readyz");
    Map<String, String> dead = look(HealthCheck.Kind.LIVE, "livez");
    onDead.accept(dead);
    return StepDelay.of(PERIOD);
  }

  private Map<String, String> look(HealthCheck.Kind kind, String path) throws InterruptedException {
    Map<String, String> red = new HashMap<>();
    Map<String, Optional<String>> outcome = health.look(kind, name -> true);
    outcome.forEach(
        (name, problem) -> {
          report(kind, path + "/" + name, problem);
          problem.ifPresent(cause -> red.put(name, cause));
        });
    before
        .keySet()
        .removeIf(
            check ->
                check.startsWith(path + "/")
                    && !outcome.containsKey(check.substring(path.length() + 1)));
    return red;
  }

  int size() {
    return before.size();
  }

  private void report(HealthCheck.Kind kind, String check, Optional<String> problem) {
    if (kind == HealthCheck.Kind.READY && !before.containsKey(check)) {
      before.put(check, Optional.empty());
      return;
    }
    Optional<String> last = before.put(check, problem);
    boolean wasGreen = last == null || last.isEmpty();
    if (problem.isPresent() && wasGreen) {
      log.warn("The check {} is red: {}", check, problem.get());
    } else if (problem.isEmpty() && !wasGreen) {
      log.info("The check {} is green again", check);
    }
  }
}
