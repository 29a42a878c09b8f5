// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class ExactApplyOnEmbeddedTest extends ExactApplyContract {

  private static EmbeddedApiServer server;

  @BeforeAll
  static void startsTheServer() {
    server = EmbeddedApiServer.builder().deploymentController(false).start();
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
  int sequences() {
    return Integer.getInteger("applies", 300);
  }
}
