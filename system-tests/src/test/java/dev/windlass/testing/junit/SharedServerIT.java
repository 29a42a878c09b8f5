// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;

/**
 * A shared server outlives the run of JUnit that has started it. With several JVMs, Surefire and
 * Failsafe run JUnit once for each class.
 */
final class SharedServerIT {

  private static final List<RealApiServer> seen = new ArrayList<>();

  @Disabled("run by the test")
  static final class WithTheExtension {

    @RegisterExtension
    static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

    @Test
    void sees() {
      seen.add(kubernetes.server());
    }
  }

  @Disabled("run by the test")
  @RealKubernetes
  static final class WithTheAnnotation {

    @Test
    void sees(RealApiServer server) {
      seen.add(server);
    }
  }

  private static void run(Class<?> test) {
    EngineTestKit.engine("junit-jupiter")
        .configurationParameter("junit.jupiter.conditions.deactivate", "*")
        .selectors(selectClass(test))
        .execute()
        .testEvents()
        .assertStatistics(statistics -> statistics.succeeded(1));
  }

  @Test
  void isTheSameInEachRunOfJUnit() {
    run(WithTheExtension.class);
    run(WithTheExtension.class);
    run(WithTheAnnotation.class);

    assertThat(seen).hasSize(3).allMatch(server -> server == seen.get(0));
    try (KubernetesClient client = seen.get(0).newClient()) {
      assertThat(client.namespaces().withName("default").get()).as("it still runs").isNotNull();
    }
  }
}
