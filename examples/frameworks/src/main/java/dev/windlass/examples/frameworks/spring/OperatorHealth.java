// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.spring;

import dev.windlass.health.HealthCheck;
import dev.windlass.manager.Manager;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.stereotype.Component;

// sample: health
/** Reports a fatal failure and failing liveness checks of the manager. */
@Component("operator")
public final class OperatorHealth extends AbstractHealthIndicator {

  private final Manager manager;

  OperatorHealth(Manager manager) {
    this.manager = manager;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) throws InterruptedException {
    health.up();
    manager
        .endpoints()
        .check(HealthCheck.Kind.LIVE)
        .forEach(
            (check, problem) -> problem.ifPresent(cause -> health.down().withDetail(check, cause)));
  }
}
// end
