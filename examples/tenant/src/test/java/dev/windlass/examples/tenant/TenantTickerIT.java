// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The external events in real time. */
final class TenantTickerIT {

  @RegisterExtension
  final RealApiServerExtension kubernetes = RealApiServerExtension.own(RealApiServer.builder());

  /** Acceptance run R4 in docs/acceptance-runs.md. */
  @Test
  @Proves({"000-07", "000-38", "000-39", "000-42", "000-51", "R4"})
  void reconcilesATenantEveryTenSecondsIfItIsReady() {
    kubernetes.server().install(TenantArtifacts.crd());
    Reconciled reconciled = new Reconciled();
    try (KubernetesClient kubectl = kubernetes.server().newClient();
        KubernetesClient client = kubernetes.server().newClient()) {
      World world = new World(kubectl);
      Manager manager = TenantContract.start(client, reconciled);
      world.create(TenantArtifacts.sample("ready"));
      world.awaitReady("ready");
      Tenant bad = TenantArtifacts.sample("bad");
      Objects.requireNonNull(bad.getSpec().getAdmin()).setKind("Robot");
      world.create(bad);
      world.awaitFailed("bad");
      long first = reconciled.of("ready");
      eventually().until(() -> reconciled.of("ready") > first); // what was left of the start
      long ready = reconciled.of("ready");
      long failed = reconciled.of("bad");

      eventually()
          .pollDelay(Duration.ofSeconds(60))
          .atMost(Duration.ofSeconds(70))
          .until(() -> true);

      assertThat(reconciled.of("ready") - ready).isBetween(5L, 7L);
      assertThat(reconciled.of("bad")).isEqualTo(failed);
      assertThat(manager.stop()).isTrue();
      assertThat(manager.failure()).isEmpty();
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .doesNotContain("external-events", "runner");
    }
  }
}
