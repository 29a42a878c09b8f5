// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.mock.MockApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class FooOnMockTest extends FooContract {

  private static MockApiServer server;

  @BeforeAll
  static void startsTheServer() {
    server = MockApiServer.start();
  }

  @AfterAll
  static void stopsTheServer() {
    server.close();
  }

  @Override
  TestApiServer server() {
    return server;
  }
}
