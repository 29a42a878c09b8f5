// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.counts;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AutoClose;

final class WholePathOnEmbeddedTest extends WholePathContract {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  KubernetesClient kubectl() {
    return server.inMemory().newClient();
  }

  @Override
  int writes(KubernetesClient kubectl) {
    return (int) server.requests().stream().filter(request -> request.verb().isWrite()).count();
  }
}
