// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.windlass.client.owned.Operation;
import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.events.EventRecorder;
import dev.windlass.manager.Manager;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/concepts/recording.md}. */
@Timeout(60)
final class RecordingTest {

  private static final int LIMIT = 10;

  private final GuideServer server = new GuideServer();

  @AfterEach
  void stops() {
    server.close();
  }

  private static void register(Manager manager) {
    // sample: register
    EventRecorder recorder = manager.eventRecorder("widget-controller");
    WidgetReconciler reconciler = new WidgetReconciler(recorder);
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(reconciler::reconcile)
        .register(manager);
    // end
  }

  private record WidgetReconciler(EventRecorder recorder) {
    // sample: record
    Result reconcile(Widget widget, ReconcileContext context) {
      if (widget.getSpec().getSize() > LIMIT) {
        recorder.warning(widget, "TooLarge", "spec.size must not exceed " + LIMIT);
        return Result.done(); // only a change of the widget can fix this
      }
      Operation<ConfigMap> part = Owned.apply(context.client(), widget, part(widget));
      if (part.isChange()) {
        String name = part.object().getMetadata().getName();
        recorder.normal(widget, "PartWritten", "wrote ConfigMap " + name);
      }
      return Result.done();
    }
    // end
  }

  private static ConfigMap part(Widget widget) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withNamespace(widget.getMetadata().getNamespace())
        .withName(widget.getMetadata().getName())
        .endMetadata()
        .addToData("size", Integer.toString(widget.getSpec().getSize()))
        .build();
  }

  private List<Event> events() {
    return server.kubectl.events().v1().events().inNamespace("default").list().getItems();
  }

  @Test
  void recordsANormalEventAndAWarning() {
    register(server.manager);
    server.manager.start();
    server.create("w");
    Widget large = Widget.of("default", "large");
    large.getSpec().setSize(LIMIT + 1);
    server.kubectl.resource(large).create();
    await().until(() -> events().size() >= 2);
    assertThat(events())
        .extracting(Event::getType, Event::getReason, event -> event.getRegarding().getName())
        .containsExactlyInAnyOrder(
            tuple("Normal", "PartWritten", "w"), tuple("Warning", "TooLarge", "large"));
  }
}
