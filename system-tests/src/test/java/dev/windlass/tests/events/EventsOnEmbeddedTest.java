// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class EventsOnEmbeddedTest extends EventsContract {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }

  private EventBuilder event(String name) {
    return new EventBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName(name)
        .endMetadata()
        .withNewEventTime("2026-01-01T00:00:00.000000Z")
        .withType("Normal")
        .withReason("R")
        .withAction("A")
        .withReportingController("c")
        .withReportingInstance("i")
        .withNewRegarding()
        .withKind("ConfigMap")
        .withNamespace(namespace)
        .withName(name)
        .endRegarding();
  }

  private record Refused(String field, UnaryOperator<EventBuilder> change) {}

  static Stream<Refused> refused() {
    return Stream.of(
        new Refused("eventTime", e -> e.withEventTime(null)),
        new Refused("reportingComponent", e -> e.withReportingController("")),
        new Refused("reportingInstance", e -> e.withReportingInstance("i".repeat(129))),
        new Refused("action", e -> e.withAction(null)),
        new Refused("reason", e -> e.withReason("r".repeat(129))),
        new Refused("message", e -> e.withNote("\u20ac".repeat(342))),
        new Refused("series.count", e -> e.withNewSeries().withCount(1).endSeries()));
  }

  /** What the recorder must not send is refused here, as the real server does. */
  @ParameterizedTest
  @MethodSource("refused")
  void refusesWhatTheRealServerRefuses(Refused c) {
    Event event = c.change().apply(event("refused")).build();
    assertThatThrownBy(() -> kubectl.resource(event).create())
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(422))
        .hasMessageContaining(c.field());
  }
}
