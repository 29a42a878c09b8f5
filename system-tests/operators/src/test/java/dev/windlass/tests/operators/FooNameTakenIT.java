// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.ControllerListener.Outcome;
import dev.windlass.examples.foo.Foo;
import dev.windlass.examples.foo.FooDeployment;
import dev.windlass.examples.foo.FooEntry;
import dev.windlass.manager.Manager;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A Foo whose Deployment belongs to somebody else. */
final class FooNameTakenIT extends OnRealServer {

  private static final String NAME = "example-foo";
  private static final int FAILURES = 6;

  @Test
  void warnsAndKeepsItsHandsOffUntilTheNameIsFree() {
    FooWorld world = new FooWorld(kubectl, namespace);
    Manager manager =
        closing(Manager.builder().client(operatorClient()).namespace(namespace).build());
    start(manager, FooEntry::controller);
    Deployment foreign = world.createForeign(NAME);
    String key = namespace + "/" + NAME;
    var deployments = manager.informers().existing(Deployment.class).orElseThrow();
    eventually().until(() -> deployments.indexer().size() == 1);

    Foo foo = world.create(NAME);
    world.create("other");

    eventually().until(() -> runs.of(key, Outcome.ERROR) >= FAILURES);
    eventually().until(() -> !events(namespace, NAME, "ErrResourceExists").isEmpty());
    Event event = events(namespace, NAME, "ErrResourceExists").get(0);
    assertThat(event.getType()).isEqualTo("Warning");
    assertThat(event.getNote())
        .isEqualTo("Resource \"example-foo\" already exists and is not managed by Foo");
    assertThat(event.getRegarding().getUid()).isEqualTo(foo.getMetadata().getUid());
    assertThat(world.awaitDeployment(NAME)).as("untouched").isEqualTo(foreign);
    assertThat(events(namespace, NAME, "Synced")).isEmpty();

    // Less and less often: from the first failure to the sixth 5, 10, 20, 40 and 80 ms.
    List<Long> times = runs.times(key);
    assertThat(Duration.ofNanos(times.get(FAILURES - 1) - times.get(0)))
        .isGreaterThanOrEqualTo(Duration.ofMillis(100));

    // And nobody else is affected.
    world.awaitDeployment("other");
    eventually().until(() -> !events(namespace, "other", "Synced").isEmpty());
    assertThat(requests.of("POST deployments")).hasSize(1);
    assertThat(requests.writes())
        .doesNotContain("PUT deployments", "PATCH deployments", "DELETE deployments");

    // The next try after the name has become free is the last.
    kubectl.resource(foreign).delete();
    assertThat(FooDeployment.isControlledBy(world.awaitAnother(foreign), foo)).isTrue();
    eventually().until(() -> !events(namespace, NAME, "Synced").isEmpty());
  }
}
