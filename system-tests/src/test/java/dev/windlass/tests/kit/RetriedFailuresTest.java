// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.owned.Owned;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.requests.RequestMatcher;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Samples;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An overloaded server and conflicts, from the response of the server to the next attempt. */
final class RetriedFailuresTest {

  @AutoClose
  private final ReconcilerTest test =
      ReconcilerTest.of(this::register).install(Widget.definition());

  private final List<Instant> runs = new ArrayList<>();
  private final List<String> reported = new ArrayList<>();

  private void register(Manager manager) {
    ControllerBuilder.forType(Widget.class)
        .owns(ConfigMap.class)
        .objectReconciler(this::reconcile)
        .onError(
            (widget, error, context) -> {
              reported.add(String.valueOf(error.getMessage()));
              throw error;
            })
        .register(manager);
  }

  private Result reconcile(Widget widget, ReconcileContext context) {
    runs.add(test.clock().instant());
    ConfigMap map = Samples.map("default", "child");
    map.setData(Map.of("size", String.valueOf(widget.getSpec().getSize())));
    Owned.apply(context.client(), widget, map);
    return Result.done();
  }

  @BeforeEach
  void settle() {
    test.create(Widget.of("default", "w"));
    test.assertEventuallyStable();
    runs.clear();
  }

  private void failApplies(int code, int times) {
    test.server().fail(RequestMatcher.of(Verb.PATCH, "configmaps"), code, times);
    test.edit(Widget.class, "default", "w", widget -> widget.getSpec().setSize(5));
    test.assertEventuallyStable();
    assertThat(test.get(ConfigMap.class, "default", "child").orElseThrow().getData())
        .containsEntry("size", "5");
  }

  /** The embedded server sends {@code Retry-After: 1} with a 429, as the real one does. */
  @Test
  void waitForAnOverloadedServer() {
    failApplies(429, 3);
    assertThat(Duration.between(runs.get(0), runs.get(3)))
        .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(4));
    assertThat(reported).hasSize(3);
  }

  @Test
  void reportNoOrdinaryConflict() {
    failApplies(409, 4);
    assertThat(runs).hasSizeGreaterThanOrEqualTo(5);
    assertThat(reported).isEmpty();
  }

  @Test
  void reportAConflictThatPersists() {
    failApplies(409, 6);
    assertThat(reported).hasSize(2);
  }
}
