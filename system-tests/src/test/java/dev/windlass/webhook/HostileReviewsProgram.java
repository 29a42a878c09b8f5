// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import dev.windlass.webhook.admission.Verdict;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Path;
import java.time.Duration;

/** A program that validates ConfigMaps, without an API server. */
public final class HostileReviewsProgram {

  private HostileReviewsProgram() {}

  /** Prints a line once the webhooks have started. */
  private static final class Ready implements ManagedComponent {

    @Override
    public Phase phase() {
      return Phase.ALWAYS;
    }

    @Override
    public void start() {
      System.out.println("ready");
    }

    @Override
    public boolean stop(Duration limit) {
      return true;
    }
  }

  /** Runs until SIGTERM. */
  public static void main(String[] args) {
    Manager manager =
        Manager.builder()
            .config(Config.empty())
            .checkPermissions(false)
            .healthProbeBindAddress("0")
            .metricsBindAddress("0")
            .build();
    Webhooks.forService("hostile")
        .inNamespace("default")
        .bindAddress(args[0])
        .certificatesIn(Path.of(args[1]))
        .drainTime(Duration.ZERO)
        .validate(
            ConfigMap.class,
            request ->
                request.object().getData().size() > 10 ? Verdict.deny("many") : Verdict.allow())
        .register(manager);
    manager.add(new Ready());
    manager.run();
  }
}
