// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.quarkus;

import dev.windlass.health.HealthCheck.Kind;
import dev.windlass.manager.Manager;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

// sample: health
/** Reports that the program is not live if the manager or one of its checks has failed. */
@Liveness
@ApplicationScoped
public class OperatorLiveness implements HealthCheck {

  @Inject Manager manager;

  @Override
  public HealthCheckResponse call() {
    try {
      Map<String, Optional<String>> checks = manager.endpoints().check(Kind.LIVE);
      boolean passed = checks.values().stream().allMatch(Optional::isEmpty);
      return HealthCheckResponse.named("operator").status(passed).build();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return HealthCheckResponse.down("operator");
    }
  }
}
// end
