// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts the requests that reach the desired state, and that check it after a restart. */
@Timeout(120)
final class ConvergeOnEmbeddedTest {

  private static final int WIDGETS = 100;

  /** Each cache lists and watches by one request. */
  private static final int WATCHES = 2;

  /** Each object is written once in each of the ways, and not at all after a restart; no reads. */
  @ParameterizedTest
  @EnumSource
  @Execution(ExecutionMode.CONCURRENT)
  void writesEachThingOnceAndNothingAfterARestart(ConvergeWay way) {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient()) {
      server.install(Widget.definition());
      for (int i = 0; i < WIDGETS; i++) {
        Widget widget = Widget.of("default", "w-" + i);
        widget.getSpec().setSize(i + 1);
        kubectl.resource(widget).create();
      }
      server.clearRequests();
      run(way, server);
      assertThat(server.requests())
          .hasSize(WATCHES + 2 * WIDGETS)
          .filteredOn(request -> request.verb().isWrite())
          .hasSize(2 * WIDGETS);
      server.clearRequests();
      run(way, server);
      assertThat(server.requests()).as("after a restart").hasSize(WATCHES);
    }
  }

  private static void run(ConvergeWay way, EmbeddedApiServer server) {
    try (Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      way.run(manager, WIDGETS, 8);
    }
  }
}
