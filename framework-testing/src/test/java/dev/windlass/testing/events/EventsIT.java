// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.events;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.windlass.events.EventRecorder;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testing.owned.Rights;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

final class EventsIT extends EventsContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  /** The warnings of the event recorder. */
  private static final class Warnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private final Logger logger = (Logger) LoggerFactory.getLogger(EventRecorder.class);
    final List<String> lines = new CopyOnWriteArrayList<>();
    final List<String> drops = new CopyOnWriteArrayList<>();
    private final Level before = logger.getLevel();

    Warnings() {
      logger.setLevel(Level.DEBUG);
      start();
      logger.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
        lines.add(event.getFormattedMessage());
      }
      if (event.getFormattedMessage().startsWith("Dropped an Event about")) {
        drops.add(event.getFormattedMessage());
      }
    }

    @Override
    public void close() {
      logger.detachAppender(this);
      logger.setLevel(before);
    }
  }

  /** The caller goes on, one line tells what is missing, and it works once it is granted. */
  @Test
  void dropsEventsThatItMayNotWrite() throws Exception {
    ConfigMap object = object("forbidden");
    try (KubernetesClient intern =
            new KubernetesClientBuilder()
                .withConfig(kubernetes.server().userConfig("intern", "interns"))
                .build();
        Warnings warnings = new Warnings()) {
      EventBroadcaster broadcaster = broadcaster(intern);
      try {
        EventRecorder recorder = broadcaster.recorder("intern");
        for (int i = 0; i < 20; i++) {
          recorder.warning(object, "Forbidden" + i, "nobody reads this");
        }
        eventually().until(() -> warnings.drops.size() == 20);
        assertThat(warnings.lines)
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
      assertThat(warnings.lines).hasSize(1);
    }
  }
}
