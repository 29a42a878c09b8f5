// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.operators;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Runs;
import dev.windlass.controller.Controller;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.examples.foo.FooEntry;
import dev.windlass.examples.hello.HelloEntry;
import dev.windlass.examples.tenant.TenantEntry;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What each run has: the one server of the suite, with the CRDs of all operators; a namespace of
 * its own; a client for what people do with kubectl; and an end that leaves nothing running.
 */
class OnRealServer {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  /** What belongs to this run alone. */
  final String namespace =
      getClass().getSimpleName().replace("IT", "").toLowerCase(Locale.ROOT)
          + "-"
          + Long.toString(System.nanoTime(), 36);

  final Requests requests = new Requests();
  final Runs runs = new Runs();
  KubernetesClient kubectl;

  private final List<AutoCloseable> open = new ArrayList<>();

  @BeforeEach
  final void preparesTheServer() {
    kubectl = server().newClient();
    server().install(FooEntry.crd());
    server().install(TenantEntry.crd());
    server().install(HelloEntry.crd());
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
  }

  @AfterEach
  final void leavesNothingRunning() {
    List<Throwable> failures = new ArrayList<>();
    for (int i = open.size() - 1; i >= 0; i--) {
      try {
        open.get(i).close();
      } catch (Exception | AssertionError e) {
        failures.add(e); // and the rest is closed all the same
      }
    }
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
    assertThat(failures).isEmpty();
  }

  static RealApiServer server() {
    return kubernetes.server();
  }

  /** Closes it after the run, before what was opened earlier. */
  final <C extends AutoCloseable> C closing(C closeable) {
    open.add(closeable);
    return closeable;
  }

  /** A client for an operator, whose requests are written down. */
  final KubernetesClient operatorClient() {
    return closing(requests.client(server().clientConfig()));
  }

  /** A manager that is stopped in time after the run. */
  final Manager closing(Manager manager) {
    open.add(() -> assertThat(manager.stop()).as("stopped in time").isTrue());
    return manager;
  }

  /** Starts an operator, and returns when it works. */
  final Controller start(Manager manager, Function<Manager, ControllerBuilder<?>> operator) {
    Controller controller = operator.apply(manager).listener(runs).register(manager);
    manager.start();
    eventually().until(controller::isReady);
    return controller;
  }

  /** Events about an object; those about objects without a namespace are in {@code default}. */
  final List<Event> events(String in, String about, String reason) {
    return kubectl.events().v1().events().inNamespace(in).list().getItems().stream()
        .filter(event -> reason.equals(event.getReason()))
        .filter(event -> about.equals(event.getRegarding().getName()))
        .toList();
  }

  /** How often an Event was told. */
  static int count(Event event) {
    return event.getSeries() == null ? 1 : event.getSeries().getCount();
  }
}
