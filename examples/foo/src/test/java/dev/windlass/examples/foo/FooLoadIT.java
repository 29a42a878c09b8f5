// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.controller.Controller;
import dev.windlass.examples.cli.testing.Requests;
import dev.windlass.examples.cli.testing.Runs;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many Foos on a real API server. {@code -Dfoo.load=N} for another number than 5,000. */
final class FooLoadIT {

  private static final int FOOS = Integer.getInteger("foo.load", 5000);
  private static final String NAMESPACE = "default";

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().withControllerManager());

  /** The first start creates the Deployment of every Foo; the second one writes nothing. */
  @Test
  @Proves("001-65")
  void reconcilesThousandsAndWritesNothingWhenItStartsAgain() {
    kubernetes.server().install(FooArtifacts.crd());
    try (KubernetesClient kubectl = kubernetes.server().newClient()) {
      IntStream.range(0, FOOS).parallel().forEach(i -> createFoo(kubectl, "foo-" + i));
    }

    Requests first = new Requests();
    try (KubernetesClient client = first.client(kubernetes.clientConfig());
        Manager manager = start(client)) {
      var deployments = manager.informers().existing(Deployment.class).orElseThrow();
      eventually().atMost(Duration.ofMinutes(5)).until(() -> deployments.indexer().size() == FOOS);
    }
    assertThat(first.actions()).filteredOn("POST deployments"::equals).hasSize(FOOS);

    Requests second = new Requests();
    try (KubernetesClient client = second.client(kubernetes.clientConfig());
        Manager manager = Manager.builder().client(client).build()) {
      Runs runs = new Runs();
      FooOperator.builder(manager).listener(runs).register(manager);
      manager.start();
      eventually().atMost(Duration.ofMinutes(5)).until(() -> runs.keys().size() == FOOS);
      assertThat(runs.failures()).isZero();
    }
    assertThat(second.writes()).as("not even in vain").isEmpty();
  }

  private static Manager start(KubernetesClient client) {
    Manager manager = Manager.builder().client(client).build();
    Controller controller = FooOperator.register(manager);
    manager.start();
    eventually().atMost(Duration.ofMinutes(5)).until(controller::isReady);
    return manager;
  }

  private static void createFoo(KubernetesClient kubectl, String name) {
    Foo foo = FooArtifacts.exampleFoo(NAMESPACE);
    foo.getMetadata().setName(name);
    foo.getSpec().setDeploymentName(name);
    kubectl.resource(foo).create();
  }
}
