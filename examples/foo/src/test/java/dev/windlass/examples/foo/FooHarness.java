// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.examples.cli.testing.Edits;
import dev.windlass.examples.cli.testing.Requests;
import dev.windlass.examples.cli.testing.Runs;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.mock.MockApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** The Foo operator in this process, on whatever API server: subclasses say which. */
abstract class FooHarness {

  static final String NAME = "example-foo";

  final Requests requests = new Requests();
  final Runs runs = new Runs();
  KubernetesClient kubectl;
  KubernetesClient operatorClient;
  Manager manager;
  String namespace;

  /** The server to test on, which the subclass starts and stops. */
  abstract TestApiServer server();

  @BeforeEach
  void startsTheOperator(TestInfo test) {
    kubectl = server().newClient();
    namespace =
        "foo-" + Integer.toHexString(test.getDisplayName().hashCode()) + "-" + System.nanoTime();
    server().install(FooArtifacts.crd());
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
    operatorClient = requests.client(server().clientConfig());
    manager = startManager(operatorClient);
  }

  Manager startManager(KubernetesClient client) {
    ManagerBuilder builder = Manager.builder().client(client).namespace(namespace);
    if (!server().capabilities().resumableWatches()) {
      builder.connector(MockApiServer::connector);
    }
    Manager started = builder.build();
    Controller controller = FooOperator.builder(started).listener(runs).register(started);
    started.start();
    eventually().until(controller::isReady);
    return started;
  }

  @AfterEach
  void stopsTheOperator() {
    assertThat(manager.stop()).as("stopped in time").isTrue();
    operatorClient.close();
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
  }

  Foo createFoo(Consumer<Foo> change) {
    Foo foo = FooArtifacts.exampleFoo(namespace);
    change.accept(foo);
    return kubectl.resource(foo).create();
  }

  Foo createExample() {
    return createFoo(foo -> {});
  }

  void changeFoo(Consumer<Foo> change) {
    Edits.edit(kubectl.resources(Foo.class).inNamespace(namespace).withName(NAME), change);
  }

  @Nullable Foo foo() {
    return kubectl.resources(Foo.class).inNamespace(namespace).withName(NAME).get();
  }

  @Nullable Deployment deployment(String name) {
    return kubectl.apps().deployments().inNamespace(namespace).withName(name).get();
  }

  Deployment awaitAnother(Deployment before) {
    String name = before.getMetadata().getName();
    eventually().until(() -> Edits.isAnother(deployment(name), before));
    return Objects.requireNonNull(deployment(name));
  }

  void awaitReplicas(int replicas) {
    eventually().until(() -> awaitDeployment(NAME).getSpec().getReplicas() == replicas);
  }

  Deployment awaitDeployment(String name) {
    eventually().until(() -> deployment(name) != null);
    return Objects.requireNonNull(deployment(name));
  }

  List<Event> events(String reason) {
    return kubectl.events().v1().events().inNamespace(namespace).list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .toList();
  }

  static int count(Event event) {
    return event.getSeries() == null ? 1 : event.getSeries().getCount();
  }

  void awaitSynced() {
    eventually().until(() -> !events("Synced").isEmpty());
  }

  /** Where nobody simulates the Deployment controller, the test does its work. */
  void makeAvailable(int replicas) {
    if (!server().capabilities().deploymentController()) {
      Edits.editStatus(
          kubectl.apps().deployments().inNamespace(namespace).withName(NAME),
          deployment ->
              deployment.setStatus(
                  new DeploymentStatusBuilder()
                      .withReplicas(replicas)
                      .withAvailableReplicas(replicas)
                      .withReadyReplicas(replicas)
                      .build()));
    }
  }

  void awaitAvailable(int replicas) {
    eventually()
        .until(
            () -> {
              FooStatus status = Objects.requireNonNull(foo()).getStatus();
              return status != null && status.getAvailableReplicas() == replicas;
            });
  }
}
