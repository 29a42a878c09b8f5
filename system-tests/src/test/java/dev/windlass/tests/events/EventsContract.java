// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.events;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.events.EventRecorder;
import dev.windlass.events.EventRecorder.EventType;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.scheduling.Scheduler;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.tests.owned.Samples;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an API server makes of the Events that it is sent. */
@Timeout(120)
abstract class EventsContract {

  final String namespace = "events-" + UUID.randomUUID().toString().substring(0, 8);
  KubernetesClient kubectl;
  private EventBroadcaster events;
  private EventRecorder recorder;

  abstract TestApiServer server();

  @BeforeEach
  void starts() {
    kubectl = server().newClient();
    kubectl.resource(Samples.namespace(namespace)).create();
    events = broadcaster(kubectl);
    recorder = events.recorder("sample-controller");
  }

  @AfterEach
  void stops() throws InterruptedException {
    assertThat(events.stop(Duration.ofSeconds(10))).isTrue();
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
  }

  static EventBroadcaster broadcaster(KubernetesClient client) {
    return new EventBroadcaster(
        client, Scheduler.system(), Clock.systemUTC(), Thread::new, EventBroadcaster.PER_SECOND);
  }

  ConfigMap object(String name) {
    return kubectl.resource(Samples.map(namespace, name)).create();
  }

  List<Event> of(String in, String reason) {
    return kubectl.events().v1().events().inNamespace(in).list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .toList();
  }

  private Event awaited(String in, String reason) {
    eventually().until(() -> !of(in, reason).isEmpty());
    return of(in, reason).get(0);
  }

  private int count(String reason) {
    return of(namespace, reason).stream()
        .mapToInt(event -> event.getSeries() == null ? 1 : event.getSeries().getCount())
        .sum();
  }

  @Test
  void growsASeries() {
    ConfigMap object = object("repeated");
    recorder.normal(object, "Synced", "in sync");
    Event first = awaited(namespace, "Synced");
    assertThat(first.getSeries()).isNull();
    assertThat(first.getReportingController()).isEqualTo("sample-controller");
    assertThat(first.getRegarding().getUid()).isEqualTo(object.getMetadata().getUid());
    for (int i = 2; i <= 5; i++) {
      recorder.normal(object, "Synced", "in sync");
      int expected = i;
      eventually().until(() -> count("Synced") == expected);
    }
    Event last = of(namespace, "Synced").get(0);
    assertThat(of(namespace, "Synced")).hasSize(1);
    assertThat(last.getMetadata().getUid()).isEqualTo(first.getMetadata().getUid());
    assertThat(last.getEventTime()).isEqualTo(first.getEventTime());
    assertThat(last.getSeries().getLastObservedTime().getTime())
        .isGreaterThan(first.getEventTime().getTime());
  }

  /** The same objects as the core group shows them, which kubectl reads. */
  @Test
  void isSeenInTheCoreGroup() {
    ConfigMap object = object("seen");
    recorder.record(object, object, EventType.WARNING, "Failed", "Sync", "no luck");
    recorder.record(object, object, EventType.WARNING, "Failed", "Sync", "no luck");
    eventually().until(() -> count("Failed") == 2);
    var seen = kubectl.v1().events().inNamespace(namespace).list().getItems();
    assertThat(seen).hasSize(1);
    var event = seen.get(0);
    assertThat(event.getApiVersion()).isEqualTo("v1");
    assertThat(event.getMessage()).isEqualTo("no luck");
    assertThat(event.getReason()).isEqualTo("Failed");
    assertThat(event.getAction()).isEqualTo("Sync");
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getInvolvedObject().getName()).isEqualTo("seen");
    assertThat(event.getRelated().getName()).isEqualTo("seen");
    assertThat(event.getReportingComponent()).isEqualTo("sample-controller");
    assertThat(event.getSeries().getCount()).isEqualTo(2);
  }

  @Test
  void reportsObjectsWithoutANamespaceToDefault() {
    String reason = "Bound" + namespace.replace("-", "");
    recorder.normal(
        new ClusterRoleBuilder()
            .withNewMetadata()
            .withName("system:a:" + namespace)
            .endMetadata()
            .build(),
        reason,
        "m");
    assertThat(awaited("default", reason).getRegarding().getNamespace()).isNull();
  }

  @Test
  void sendsTextThatTheServerTakes() {
    ConfigMap object = object("texts");
    recorder.normal(object, "Long", "x".repeat(5000));
    recorder.normal(object, "Multibyte", "\u20ac".repeat(2000));
    recorder.normal(object, "Emoji", "\ud83d\ude00".repeat(2000));
    recorder.normal(object, "Control", "a\u0000b\u001b[31m\r\nc\u202e");
    recorder.normal(object, "Empty", "");
    recorder.record(object, EventType.NORMAL, "LongAction", "\u20ac".repeat(200), "m");
    recorder.normal(object, "R".repeat(300), "m");
    recorder.normal(object, "", "no reason");
    assertThat(awaited(namespace, "Unspecified").getNote()).isEqualTo("no reason");
    for (String reason : List.of("Long", "Multibyte", "Emoji")) {
      assertThat(awaited(namespace, reason).getNote().getBytes(StandardCharsets.UTF_8))
          .as(reason)
          .hasSizeBetween(1021, 1024);
    }
    assertThat(awaited(namespace, "Control").getNote())
        .isEqualTo("a\\u0000b\\u001b[31m\\u000d\\u000ac\\u202e");
    assertThat(of(namespace, "Empty")).hasSize(1);
    assertThat(of(namespace, "LongAction")).hasSize(1);
    assertThat(of(namespace, "R".repeat(125) + "...")).hasSize(1);
  }
}
