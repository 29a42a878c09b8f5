// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A variant of the Hello operator in this process, on whatever API server: subclasses say which.
 */
abstract class HelloHarness {

  final String namespace = "hello-" + System.nanoTime();
  KubernetesClient kubectl;
  private KubernetesClient operatorClient;
  private @Nullable Manager manager;

  /** The server to test on, which the subclass starts and stops. */
  abstract TestApiServer server();

  /** The client of the operator. */
  KubernetesClient newOperatorClient() {
    return server().newClient();
  }

  @BeforeEach
  void preparesANamespace() {
    kubectl = server().newClient();
    operatorClient = newOperatorClient();
    server().install(HelloArtifacts.crd());
    kubectl
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
        .create();
  }

  @AfterEach
  void stopsTheOperator() {
    if (manager != null) {
      assertThat(manager.stop()).as("stopped in time").isTrue();
    }
    operatorClient.close();
    kubectl.namespaces().withName(namespace).delete();
    kubectl.close();
  }

  Manager start(Variant variant, ControllerListener listener) {
    Manager started = Manager.builder().client(operatorClient).namespace(namespace).build();
    manager = started;
    Controller controller = variant.controller(started).listener(listener).register(started);
    started.start();
    eventually()
        .until(
            () ->
                controller.isReady()
                    && started.informers().existing(Pod.class).orElseThrow().hasSynced());
    return started;
  }
}
