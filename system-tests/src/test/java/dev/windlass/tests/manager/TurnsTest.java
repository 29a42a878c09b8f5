// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Result;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long a change waits while one worker has much to do. Covers P14. */
final class TurnsTest {

  private static final int MANY = 1_000;

  private static ReconcilerTest operator() {
    ReconcilerTest test = ReconcilerTest.of(Widget.class, () -> (widget, context) -> Result.done());
    Stream.of("many", "one").forEach(name -> test.create(namespace(name)));
    return test;
  }

  private static Namespace namespace(String name) {
    return new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  private static void createMany(ReconcilerTest test, String namespace) {
    for (int i = 0; i < MANY; i++) {
      test.create(Widget.of(namespace, "w" + i));
    }
  }

  private static void resize(ReconcilerTest test, String namespace, String name) {
    test.edit(Widget.class, namespace, name, widget -> widget.getSpec().setSize(7));
  }

  /** It includes the reconciles that begin before the controller hears of the change. */
  private static void assertServedSoon(ReconcilerTest test, String key) {
    assertThat(next(test, 8)).contains(key);
  }

  private static List<String> next(ReconcilerTest test, int count) {
    return Stream.generate(() -> test.reconcile().object()).limit(count).toList();
  }

  @Test
  void theChangesOfANamespaceDoNotDelayThoseOfAnother() {
    try (ReconcilerTest test = operator()) {
      createMany(test, "many");
      test.create(Widget.of("one", "w"));
      test.assertEventuallyStable();
      for (int i = 0; i < MANY; i++) {
        resize(test, "many", "w" + i);
      }
      next(test, 10);
      resize(test, "one", "w");
      assertServedSoon(test, "one/w");
    }
  }

  @Test
  void newObjectsDoNotDelayAChange() {
    try (ReconcilerTest test = operator()) {
      test.create(Widget.of("many", "old"));
      test.assertEventuallyStable();
      createMany(test, "many");
      next(test, 10);
      resize(test, "many", "old");
      assertServedSoon(test, "many/old");
      resize(test, "many", "w500");
      assertServedSoon(test, "many/w500");
    }
  }
}
