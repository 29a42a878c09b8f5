// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.AuditEvent;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.owned.Widget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Counts the requests needed to reach the desired state, and to check it once it is reached. */
final class ConvergeIT {

  private static final int WORKERS = 8;

  /** As many as once showed the fault; a quarter for the ways that never did, to save minutes. */
  private static int widgets(ConvergeWay way) {
    return way == ConvergeWay.STATUS_PATCH ? 1_000 : 250;
  }

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().audit(true));

  @AfterEach
  void deletesAll() {
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      kubectl.resources(Widget.class).inNamespace("default").delete();
      kubectl.configMaps().inNamespace("default").delete();
    }
  }

  /** Whichever way one chooses. */
  @ParameterizedTest
  @EnumSource
  void writesEachThingOnceAndNothingAfterARestart(ConvergeWay way) {
    int widgets = widgets(way);
    kubernetes.server().install(Widget.definition());
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      IntStream.range(0, widgets)
          .parallel()
          .forEach(i -> kubectl.resource(widget("w-" + i, i)).create());
    }
    int before = writes().size();
    run(way);
    List<AuditEvent> first = writes();
    System.out.printf("%s: %,d writes for %,d widgets%n", way, first.size() - before, widgets);
    assertThat(first.subList(before, first.size()))
        .allSatisfy(write -> assertThat(write.code()).isBetween(200, 201))
        .filteredOn(write -> write.verb().equals("create"))
        .hasSize(widgets);
    assertThat(first.size() - before).isEqualTo(2 * widgets);
    run(way);
    assertThat(writes()).as("after a restart").hasSize(first.size());
  }

  private static void run(ConvergeWay way) {
    try (KubernetesClient client = kubernetes.server().newClient();
        Manager manager = Manager.builder().client(client).build()) {
      way.run(manager, widgets(way), WORKERS);
    }
  }

  private static List<AuditEvent> writes() {
    return kubernetes.server().auditEvents().stream()
        .filter(AuditEvent::isWrite)
        .filter(
            event ->
                event.resource().equals("widgets")
                    || (event.resource().equals("configmaps")
                        && event.namespace().equals("default")))
        .toList();
  }

  private static Widget widget(String name, int size) {
    Widget widget = Widget.of("default", name);
    widget.getSpec().setSize(size + 1);
    return widget;
  }
}
