// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@link ConvergeIT} with fewer widgets. */
@Timeout(120)
final class ConvergeOnEmbeddedTest {

  private static final int WIDGETS = 100;

  /** Each object is written once in each of the ways, and not at all after a restart. */
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
      int before = writes(server).size();
      run(way, server);
      int after = writes(server).size();
      assertThat(after - before).isEqualTo(2 * WIDGETS);
      run(way, server);
      assertThat(writes(server)).as("after a restart").hasSize(after);
    }
  }

  private static void run(ConvergeWay way, EmbeddedApiServer server) {
    try (Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      way.run(manager, WIDGETS, 8);
    }
  }

  private static List<RecordedRequest> writes(EmbeddedApiServer server) {
    return server.requests().stream()
        .filter(request -> request.verb().isWrite())
        .filter(request -> request.resource().matches("(widgets|configmaps)\\b.*"))
        .toList();
  }
}
