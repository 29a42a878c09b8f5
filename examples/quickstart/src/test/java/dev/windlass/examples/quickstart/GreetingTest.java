// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.testing.reconciler.CrashAtEveryWrite;
import dev.windlass.testing.reconciler.DropEvents;
import dev.windlass.testing.reconciler.ReconcilerTest;
import dev.windlass.testing.reconciler.StaleCache;
import io.fabric8.kubernetes.api.model.ConfigMap;
import org.junit.jupiter.api.Test;

/** The first tests of an operator: on virtual time, with an API server in memory. */
final class GreetingTest {

  private static ReconcilerTest operator() {
    return ReconcilerTest.of(Quickstart::register).install(Greeting.class);
  }

  private static Greeting greeting(String name) {
    Greeting greeting = new Greeting();
    greeting.getMetadata().setNamespace("default");
    greeting.getMetadata().setName("first");
    greeting.getSpec().setName(name);
    return greeting;
  }

  @Test
  void greets() {
    try (ReconcilerTest test = operator()) {
      test.create(greeting("test"));
      test.reconcile().assertWrites("create configmaps default/first");
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("greeting", "Hello, test!");
      test.assertEventuallyStable();
    }
  }

  @CrashAtEveryWrite
  @StaleCache
  @DropEvents
  void greetsAnotherWhateverFails() {
    try (ReconcilerTest test = operator()) {
      test.create(greeting("test"));
      test.assertEventuallyStable();
      test.edit(Greeting.class, "default", "first", g -> g.getSpec().setName("reader"));
      test.assertEventuallyStable();
      assertThat(test.get(ConfigMap.class, "default", "first").orElseThrow().getData())
          .containsEntry("greeting", "Hello, reader!");
    }
  }
}
