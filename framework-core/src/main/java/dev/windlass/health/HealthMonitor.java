// SPDX-License-Identifier: Apache-2.0
package dev.windlass.health;

import dev.windlass.time.Pause;
import dev.windlass.time.Step;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at all checks every 10 s, whether anybody asks for them or not, and logs when one changes
 * its mind: those that compare with before need it, and people who come later. What is not ready at
 * the first look has most likely just begun, and is told if it is not at the second.
 */
public final class HealthMonitor implements Step {

  /** How often it looks: every 10 s. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private static final Logger log = LoggerFactory.getLogger(Health.class);

  private final Health health;
  private final Consumer<Map<String, String>> onDead;

  /** What each check said last, by kind and name. */
  private final Map<String, Optional<String>> before = new HashMap<>();

  /**
   * A monitor that has not looked yet.
   *
   * @param onDead is told after each look which checks of liveness are red, and why
   */
  public HealthMonitor(Health health, Consumer<Map<String, String>> onDead) {
    this.health = health;
    this.onDead = onDead;
  }

  @Override
  public Pause run() throws InterruptedException {
    look(Health.Kind.READY, "readyz");
    Map<String, String> dead = look(Health.Kind.LIVE, "livez");
    onDead.accept(dead);
    return Pause.of(PERIOD);
  }

  private Map<String, String> look(Health.Kind kind, String path) throws InterruptedException {
    Map<String, String> red = new HashMap<>();
    Map<String, Optional<String>> outcome = health.look(kind, name -> true);
    outcome.forEach(
        (name, trouble) -> {
          tell(kind, path + "/" + name, trouble);
          trouble.ifPresent(cause -> red.put(name, cause));
        });
    before
        .keySet()
        .removeIf(
            check ->
                check.startsWith(path + "/")
                    && !outcome.containsKey(check.substring(path.length() + 1)));
    return red;
  }

  /** How many checks it remembers. */
  int size() {
    return before.size();
  }

  private void tell(Health.Kind kind, String check, Optional<String> trouble) {
    if (kind == Health.Kind.READY && !before.containsKey(check)) {
      before.put(check, Optional.empty());
      return;
    }
    Optional<String> last = before.put(check, trouble);
    boolean wasGreen = last == null || last.isEmpty();
    if (trouble.isPresent() && wasGreen) {
      log.warn("The check {} is red: {}", check, trouble.get());
    } else if (trouble.isEmpty() && !wasGreen) {
      log.info("The check {} is green again", check);
    }
  }
}
