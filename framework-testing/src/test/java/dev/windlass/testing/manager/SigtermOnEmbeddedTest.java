// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.manager;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;

final class SigtermOnEmbeddedTest extends SigtermContract {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @AfterEach
  void stopsTheServer() {
    server.close();
  }

  @Override
  TestApiServer server() {
    return server;
  }
}
