// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Logs;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ManyClustersTest {

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ManagerMetrics metrics =
      ManagerMetrics.on(registry, ObservationRegistry.NOOP, false, new ManualScheduler());

  private Set<String> labels() {
    return registry.getMeters().stream()
        .map(meter -> String.valueOf(meter.getId().getTag("cluster_name")))
        .filter(label -> !label.equals("null"))
        .collect(Collectors.toSet());
  }

  /** And leaves none of them behind. */
  @Test
  void saysOnceThatClustersAreCountedTogether() {
    try (Logs logs = Logs.of(ManagerMetrics.class)) {
      for (int i = 0; i < ManagerMetrics.MAX_CLUSTERS; i++) {
        metrics.cluster("c" + i, "http://127.0.0.1:9/");
      }
      assertThat(logs.lines()).isEmpty();
      for (int i = 0; i < 10; i++) {
        metrics.cluster("late" + i, "http://127.0.0.1:9/");
      }
      assertThat(logs.lines())
          .containsExactly(
              "WARN The metrics of the cluster late0 and of later ones are combined as 'other':"
                  + " metrics distinguish 50 clusters by name");
    }
    assertThat(labels()).hasSize(ManagerMetrics.MAX_CLUSTERS + 1).contains("other");
    metrics.close();
    assertThat(registry.getMeters()).isEmpty();
  }
}
