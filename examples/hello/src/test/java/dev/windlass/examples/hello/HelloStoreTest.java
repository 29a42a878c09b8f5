// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

/** What is known of a Hello on the server, whatever the cache says. */
final class HelloStoreTest {

  @Test
  void takesAnotherHelloOfTheSameNameForNoneOfOurs() {
    try (EmbeddedApiServer server = EmbeddedApiServer.start();
        KubernetesClient kubectl = server.newClient();
        Manager manager = Manager.builder().config(server.clientConfig()).build()) {
      server.install(HelloArtifacts.crd());
      HelloStore store = new HelloStore(manager.client());
      Hello first = kubectl.resource(HelloArtifacts.sample("default")).create();
      assertThat(store.isGone(first)).isFalse();
      kubectl.resource(first).delete();
      assertThat(store.isGone(first)).isTrue();
      Hello second = kubectl.resource(HelloArtifacts.sample("default")).create();
      assertThat(store.isGone(first)).isTrue();
      assertThat(store.isGone(second)).isFalse();
    }
  }
}
