// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class OwnReadsOnEmbeddedTest extends OwnReadsContract {

  private static EmbeddedApiServer server;

  @BeforeAll
  static void startsTheServer() {
    server = EmbeddedApiServer.start();
  }

  @AfterAll
  static void stopsTheServer() {
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
