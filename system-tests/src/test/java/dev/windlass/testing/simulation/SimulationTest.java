// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.testing.apiserver.embedded.TransportHook;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class SimulationTest {

  @Test
  void releasesTheLeaseOfALeaderThatStops() {
    try (Simulation simulation = Simulation.inOrder()) {
      SimulatedProcess leader =
          simulation.start(
              "leader",
              TransportHook.NONE,
              builder ->
                  builder.leaderElection(
                      LeaderElectionOptions.of("parts").withNamespace("default")),
              manager -> {});
      simulation.advance(Duration.ofSeconds(1));
      assertThat(leader.manager().leadership().orElseThrow().status().leading()).isTrue();
      assertThat(leader.stop()).isTrue();
      assertThat(
              simulation
                  .kubernetesClient()
                  .leases()
                  .inNamespace("default")
                  .withName("parts")
                  .get()
                  .getSpec()
                  .getHolderIdentity())
          .isNull();
    }
  }
}
