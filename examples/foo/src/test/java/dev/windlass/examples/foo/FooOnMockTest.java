// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.cli.testsupport.Edits;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.mock.MockApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** The operator on the server that fabric8's users know, which has no resumable watches. */
final class FooOnMockTest {

  @Test
  void createsADeploymentAndKeepsItsSize() {
    try (MockApiServer server = MockApiServer.start();
        KubernetesClient kubectl = server.newClient();
        Manager manager =
            Manager.builder()
                .config(server.clientConfig())
                .namespace("default")
                .connector(MockApiServer::connector)
                .build()) {
      server.install(FooArtifacts.crd());
      assertThat(manager.client().get(Foo.class, ObjectKey.of("default", "absent"))).isEmpty();
      assertThat(manager.client().delete(Foo.class, ObjectKey.of("default", "absent"))).isFalse();
      FooOperator.register(manager);
      manager.start();
      Foo foo = kubectl.resource(FooArtifacts.exampleFoo("default")).create();
      var deployment = kubectl.apps().deployments().inNamespace("default").withName("example-foo");
      eventually().until(() -> deployment.get() != null);
      Edits.edit(kubectl.resource(foo), changed -> changed.getSpec().setReplicas(3));
      eventually()
          .untilAsserted(() -> assertThat(deployment.get().getSpec().getReplicas()).isEqualTo(3));
    }
  }
}
