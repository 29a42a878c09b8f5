// SPDX-License-Identifier: Apache-2.0
package dev.windlass.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.client.Client;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.tests.owned.Widget;
import io.fabric8.kubernetes.client.KubernetesClient;

/** A server with widgets, and a manager on it. */
final class GuideServer implements AutoCloseable {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();
  final KubernetesClient kubectl;
  final Manager manager;
  final Client client;

  GuideServer() {
    server.install(Widget.definition());
    kubectl = server.newClient();
    manager = Manager.builder().client(kubectl).build();
    client = manager.client();
  }

  Widget create(String name) {
    return kubectl.resource(Widget.of("default", name)).create();
  }

  Widget get(String name) {
    return client.uncached().get(Widget.class, ObjectKey.of("default", name)).orElseThrow();
  }

  @Override
  public void close() {
    assertThat(manager.stop()).isTrue();
    kubectl.close();
    server.close();
  }
}
