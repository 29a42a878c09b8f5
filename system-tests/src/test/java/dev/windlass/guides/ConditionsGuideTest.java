// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.windlass.client.Client;
import dev.windlass.client.owned.Conditions;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The code of {@code docs/guides/conditions.md}. */
@Timeout(60)
final class ConditionsGuideTest {

  @AutoClose private final GuideServer server = new GuideServer();
  private final Client client = server.client;
  private final Clock clock = Clock.systemUTC();

  // sample: status
  /** The observed state of a widget. This class is not thread-safe. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public static final class Status {
    private List<Condition> conditions = new ArrayList<>(); // mutable, and never null

    /** Returns the conditions. */
    public List<Condition> getConditions() {
      return conditions;
    }

    /** Sets the conditions. */
    public void setConditions(List<Condition> conditions) {
      this.conditions = conditions;
    }
  }

  // end

  @Test
  void readsAStatusThatHasNoConditionsYet() {
    Status status = new KubernetesSerialization().unmarshal("{\"ready\": 1}", Status.class);
    assertThat(Conditions.of(status.getConditions(), clock).isTrue("Ready")).isFalse();
    assertThatThrownBy(
            () ->
                Conditions.of(List.of(), clock)
                    .set("Ready", Conditions.Status.TRUE, "AllPartsExist", "", 1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("set a new ArrayList<>(list) in the status first");
    status.setConditions(null);
    assertThatThrownBy(() -> Conditions.of(status.getConditions(), clock))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("set a new ArrayList<>() first");
  }

  // sample: set
  void report(Widget widget, int existing, int wanted) {
    if (widget.getStatus() == null) {
      widget.setStatus(new Widget.Status());
    }
    boolean all = existing == wanted;
    boolean changed =
        Conditions.of(widget.getStatus().getConditions(), clock)
            .set(
                "Ready",
                all ? Conditions.Status.TRUE : Conditions.Status.FALSE,
                all ? "AllPartsExist" : "PartsMissing",
                "%d of %d parts exist".formatted(existing, wanted),
                widget.getMetadata().getGeneration());
    if (changed) {
      client.updateStatus(widget);
    }
  }

  // end

  private static ControllerBuilder<Widget> forType() {
    // sample: generation
    ControllerBuilder<Widget> builder =
        ControllerBuilder.forType(
            Widget.class,
            EventPredicate.<Widget>generationChanged()
                .or(EventPredicate.labelsChanged())
                .or(EventPredicate.annotationsChanged()));
    // end
    return builder;
  }

  @Test
  void doesNotWakeItselfByItsStatus() {
    AtomicInteger runs = new AtomicInteger();
    forType()
        .objectReconciler(
            (widget, context) -> {
              runs.incrementAndGet();
              widget.setStatus(new Widget.Status());
              widget.getStatus().setReady(runs.get());
              client.updateStatus(widget);
              return Result.done();
            })
        .register(server.manager);
    server.manager.start();
    server.create("w");
    await().until(() -> server.get("w").getStatus() != null);
    server.kubectl.resource(server.get("w")).edit(ConditionsGuideTest::labelled);
    await().until(() -> server.get("w").getStatus().getReady() == 2);
    assertThat(runs).hasValue(2);
  }

  /** At once, though the predicate lets no change of annotations through. */
  @Test
  void reconcilesAPausedObjectWhenItIsResumed() {
    Queue<String> runs = new ConcurrentLinkedQueue<>();
    // sample: paused
    ControllerBuilder<Widget> builder =
        ControllerBuilder.forType(Widget.class, EventPredicate.generationChanged())
            .pausedBy("example.com/paused");
    // end
    builder
        .finalizer("example.com/cleanup", (widget, context) -> Result.done())
        .objectReconciler(
            (widget, context) -> {
              runs.add(widget.getMetadata().getName());
              return Result.done();
            })
        .register(server.manager);
    Widget paused = Widget.of("default", "paused");
    paused.getMetadata().setAnnotations(Map.of("example.com/paused", "until the migration"));
    server.kubectl.resource(paused).create();
    server.manager.start();
    server.create("other");
    await().until(() -> runs.contains("other"));
    assertThat(runs).doesNotContain("paused");
    assertThat(server.get("paused").getMetadata().getFinalizers()).isEmpty();
    server.kubectl.resource(server.get("paused")).edit(ConditionsGuideTest::resumed);
    await().until(() -> runs.contains("paused"));
  }

  private static Widget resumed(Widget widget) {
    widget.getMetadata().getAnnotations().put("example.com/paused", "false");
    return widget;
  }

  private static Widget labelled(Widget widget) {
    widget.getMetadata().setLabels(Map.of("a", "b"));
    return widget;
  }

  // sample: on-error
  Result failed(Widget widget, Exception error, ReconcileContext context) throws Exception {
    if (widget.getStatus() == null) {
      widget.setStatus(new Widget.Status());
    }
    boolean changed =
        Conditions.of(widget.getStatus().getConditions(), clock)
            .set(
                "Ready",
                Conditions.Status.FALSE,
                "Failed",
                String.valueOf(error.getMessage()),
                widget.getMetadata().getGeneration());
    if (changed) {
      context.client().updateStatus(widget);
    }
    throw error; // retried with back-off
  }

  // end

  private ControllerBuilder<Widget> telling() {
    // sample: register-on-error
    ControllerBuilder<Widget> builder =
        ControllerBuilder.forType(Widget.class).onError(this::failed);
    // end
    return builder;
  }

  @Test
  void tellsOfAFailureOnce() {
    AtomicInteger runs = new AtomicInteger();
    telling()
        .objectReconciler(
            (widget, context) -> {
              runs.incrementAndGet();
              throw new IllegalStateException("the colour is out of stock");
            })
        .register(server.manager);
    server.manager.start();
    server.create("w");
    await().until(() -> runs.get() > 4);
    assertThat(server.get("w").getStatus().getConditions())
        .extracting(Condition::getMessage)
        .containsExactly("the colour is out of stock");
    String version = server.get("w").getMetadata().getResourceVersion();
    int before = runs.get();
    await().until(() -> runs.get() > before + 1);
    assertThat(server.get("w").getMetadata().getResourceVersion())
        .as("no write repeats what the status says already")
        .isEqualTo(version);
  }

  // sample: read
  boolean isReady(Widget widget) {
    return widget.getStatus() != null
        && Conditions.of(widget.getStatus().getConditions(), clock).isTrue("Ready");
  }

  // end

  @Test
  void writesNewsOnly() {
    server.create("w");
    assertThat(isReady(server.get("w"))).isFalse();
    report(server.get("w"), 1, 2);
    assertThat(isReady(server.get("w"))).isFalse();
    report(server.get("w"), 2, 2);
    Widget ready = server.get("w");
    assertThat(isReady(ready)).isTrue();
    assertThat(ready.getStatus().getConditions())
        .extracting(Condition::getMessage)
        .containsExactly("2 of 2 parts exist");
    report(server.get("w"), 2, 2);
    assertThat(server.get("w").getMetadata().getResourceVersion())
        .isEqualTo(ready.getMetadata().getResourceVersion());
  }
}
