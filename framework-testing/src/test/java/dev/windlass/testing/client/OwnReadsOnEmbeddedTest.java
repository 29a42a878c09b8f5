// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;

final class OwnReadsOnEmbeddedTest extends OwnReadsContract {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @AfterAll
  void stopsTheServer() {
    server.close();
  }

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  boolean isReal() {
    return false;
  }
}
