// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.cli.testsupport.Edits.edit;
import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.controller.Controller;
import dev.windlass.examples.foo.Foo;
import dev.windlass.examples.foo.FooEntry;
import dev.windlass.manager.Manager;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import org.junit.jupiter.api.Test;

/** A Foo's life as the document tells it: each step, each request, each line and each Event. */
final class FooLifeIT extends OnRealServer {

  private static final String NAME = "example-foo";

  @Test
  void playsFromTheFirstStepToTheLast() {
    FooWorld world = new FooWorld(kubectl, namespace);
    Logs said =
        closing(
            Logs.by(
                Level.DEBUG,
                "dev.windlass.controller.Controller",
                "dev.windlass.examples.foo.FooReconciler"));
    Manager manager =
        closing(Manager.builder().client(operatorClient()).namespace(namespace).build());

    // Step 1: it starts.
    Controller controller = start(manager, FooEntry::withoutResync);
    assertThat(said.messages())
        .containsSubsequence(
            "Starting Foo controller",
            "Waiting for informer caches to sync",
            "Starting workers",
            "Started workers");

    // Step 2: a Foo is created.
    Foo foo = world.create(NAME);
    Deployment first = world.awaitDeployment(NAME);
    String synced = "Successfully synced '" + namespace + "/" + NAME + "'";
    eventually().until(() -> said.messages().contains(synced));
    eventually().until(() -> !events(namespace, NAME, "Synced").isEmpty());
    assertThat(first.getMetadata().getOwnerReferences())
        .singleElement()
        .satisfies(
            owner -> {
              assertThat(owner.getUid()).isEqualTo(foo.getMetadata().getUid());
              assertThat(owner.getController()).isTrue();
              assertThat(owner.getBlockOwnerDeletion()).isTrue();
            });
    assertThat(first.getSpec().getReplicas()).isEqualTo(1);
    assertThat(requests.writes()).first().isEqualTo("POST deployments");
    Event event = events(namespace, NAME, "Synced").get(0);
    assertThat(event.getType()).isEqualTo("Normal");
    assertThat(event.getNote()).isEqualTo("Foo synced successfully");
    assertThat(event.getReportingController()).isEqualTo("sample-controller");
    assertThat(event.getRegarding().getKind()).isEqualTo("Foo");
    assertThat(event.getRegarding().getUid()).isEqualTo(foo.getMetadata().getUid());

    // Step 3: its Deployment becomes available.
    world.makeAvailable(NAME, 1);
    world.awaitAvailable(NAME, 1);

    // Step 4: it is scaled, with one write.
    edit(world.foo(NAME), changed -> changed.getSpec().setReplicas(3));
    world.awaitReplicas(NAME, 3);
    world.makeAvailable(NAME, 3);
    world.awaitAvailable(NAME, 3);
    assertThat(requests.of("PUT deployments")).hasSize(1);

    // Step 5: its Deployment is deleted, and made again.
    kubectl.resource(first).delete();
    Deployment second = world.awaitAnother(first);
    assertThat(second.getSpec().getReplicas()).isEqualTo(3);
    assertThat(world.foo(NAME).require().getMetadata().getUid())
        .isEqualTo(foo.getMetadata().getUid());
    world.awaitAvailable(NAME, 0);
    assertThat(requests.of("POST deployments")).hasSize(2);

    // Step 6: it is deleted, and the garbage collector takes its Deployment.
    world.foo(NAME).delete();
    eventually().until(() -> world.foo(NAME).get() == null);
    eventually().until(() -> world.deployment(NAME) == null);
    eventually().until(() -> controller.queueLength() == 0 && controller.running().isEmpty());
    assertThat(controller.diagnosis().delayed()).as("nothing to be tried again").isZero();

    // Step 7: it stops.
    assertThat(manager.stop()).isTrue();
    assertThat(said.messages())
        .last()
        .asString()
        .matches("Shutting down workers|The manager stopped after .*");

    assertThat(requests.writes())
        .containsSubsequence(
            "POST deployments",
            "PUT foos/status",
            "PUT deployments",
            "PUT foos/status",
            "POST deployments")
        .noneMatch(write -> write.startsWith("DELETE"));
    assertThat(events(namespace, NAME, "Synced"))
        .as("one Event that counts")
        .singleElement()
        .satisfies(told -> assertThat(count(told)).isGreaterThan(1));
  }
}
