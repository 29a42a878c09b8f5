// SPDX-License-Identifier: Apache-2.0
package dev.windlass.events.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.scheduling.StepDelay;
import dev.windlass.testing.core.Http;
import dev.windlass.testing.core.Samples;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes over the wire. */
@Timeout(30)
final class EventSinkTest {

  private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";

  @AutoClose private final Http server = new Http();

  @AutoClose private final KubernetesClient client = server.newClient();

  private final EventSink sink = EventSink.to(client);
  private final Event event =
      new EventBuilder()
          .withNewMetadata()
          .withNamespace("default")
          .withName("foo.1")
          .endMetadata()
          .withNewRegarding()
          .withKind("Foo")
          .withName("foo")
          .endRegarding()
          .withReason("Synced")
          .withNote("m")
          .withNewEventTime("1970-01-01T00:00:00.000000Z")
          .withNewSeries()
          .withCount(2)
          .withNewLastObservedTime("1970-01-01T00:01:00.000000Z")
          .endSeries()
          .build();

  /** Only what changes, so that nothing else of the stored Event is overwritten. */
  @Test
  void updatesByAMergePatchOfTheSeries() {
    server.answer(
        "PATCH " + EVENTS + "/foo.1", "{\"kind\":\"Event\",\"apiVersion\":\"events.k8s.io/v1\"}");
    assertThat(sink.update(event)).isTrue();
    assertThat(server.lines()).containsExactly("PATCH " + EVENTS + "/foo.1");
    Http.Asked asked = server.asked().get(0);
    assertThat(asked.contentType()).startsWith("application/merge-patch+json");
    assertThat(asked.body())
        .contains("\"series\":{\"count\":2,\"lastObservedTime\":\"1970-01-01T00:01:00.000000Z\"}")
        .doesNotContain("null")
        .doesNotContain("regarding")
        .doesNotContain("eventTime")
        .doesNotContain("reason");
  }

  @Test
  void reportsWhatElseGoesWrong() {
    server.fail("PATCH " + EVENTS + "/foo.1", 403);
    assertThatThrownBy(() -> sink.update(event))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, e -> assertThat(e.getCode()).isEqualTo(403));
  }

  /** A server that can't be reached may be there in 10 s; fabric8's code for that is -1. */
  @Test
  void retriesWhenTheServerIsUnreachable() {
    server.close();
    ManualScheduler time = new ManualScheduler();
    DefaultEventRecorder recorder =
        new DefaultEventRecorder(
            "test", "pod-1", sink, time, time.clock(), Thread::new, EventBroadcaster.PER_SECOND);
    recorder.normal(Samples.foo("foo"), "Synced", "m");
    assertThat(recorder.run()).isEqualTo(StepDelay.of(Duration.ofSeconds(10)));
    assertThat(recorder.dropped()).isZero();
  }
}
