// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import dev.windlass.testing.apiserver.TestApiServer;
import org.junit.jupiter.api.AfterEach;

final class RefusedMetadataOnEmbeddedTest extends RefusedMetadataContract {

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
