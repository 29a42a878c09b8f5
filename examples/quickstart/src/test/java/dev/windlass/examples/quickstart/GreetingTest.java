// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.quickstart;

import static org.awaitility.Awaitility.await;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** The first test of an operator: an API server in this process, and the operator on it. */
final class GreetingTest {

  @Test
  void greets() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient();
        Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      server.install(Greeting.class);
      Quickstart.register(manager);
      manager.start();

      Greeting greeting = new Greeting();
      greeting.getMetadata().setName("first");
      greeting.getSpec().setName("test");
      kubectl.resource(greeting).inNamespace("default").create();

      await()
          .until(
              () -> {
                ConfigMap map = kubectl.configMaps().inNamespace("default").withName("first").get();
                return map != null && "Hello, test!".equals(map.getData().get("greeting"));
              });
    }
  }
}
