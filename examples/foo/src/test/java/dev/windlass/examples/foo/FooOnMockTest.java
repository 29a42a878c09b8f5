// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.mock.MockApiServer;
import org.junit.jupiter.api.AutoClose;

final class FooOnMockTest extends FooContract {

  @AutoClose private static final MockApiServer server = MockApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }
}
