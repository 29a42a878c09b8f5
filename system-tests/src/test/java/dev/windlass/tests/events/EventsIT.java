// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.events;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.events.EventRecorder;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class EventsIT extends EventsContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  /** The caller goes on, one line tells what is missing, and it works once it is granted. */
  @Test
  void dropsEventsThatItMayNotWrite() throws Exception {
    ConfigMap object = object("forbidden");
    try (KubernetesClient intern =
            new KubernetesClientBuilder()
                .withConfig(kubernetes.server().userConfig("intern", "interns"))
                .build();
        Logs logs = Logs.of(EventRecorder.class)) {
      EventBroadcaster broadcaster = broadcaster(intern);
      try {
        EventRecorder recorder = broadcaster.recorder("intern");
        for (int i = 0; i < 20; i++) {
          recorder.warning(object, "Forbidden" + i, "nobody reads this");
        }
        eventually()
            .until(
                () ->
                    logs.messages().stream()
                            .filter(line -> line.startsWith("Dropped an Event about"))
                            .count()
                        == 20);
        assertThat(logs.warnings())
            .singleElement()
            .asString()
            .startsWith(
                ("Dropped an Event about ConfigMap %s/forbidden: Permission denied."
                        + " Grant this identity the verbs create and patch on events of the group"
                        + " events.k8s.io in namespace %s in a Role or ClusterRole.")
                    .formatted(namespace, namespace))
            .contains("User \"intern\" cannot create");

        Rights.grant(
            kubectl,
            namespace,
            "events",
            Rights.rule("events.k8s.io", "events", "create", "patch"),
            Rights.group("interns"));
        eventually()
            .until(
                () -> {
                  recorder.normal(object("granted-" + System.nanoTime()), "Granted", "m");
                  return !of(namespace, "Granted").isEmpty();
                });
      } finally {
        assertThat(broadcaster.stop(Duration.ofSeconds(10))).isTrue();
      }
      assertThat(logs.warnings()).hasSize(1);
    }
  }
}
