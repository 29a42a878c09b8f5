// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.install;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;

final class JavaTypesOnEmbeddedTest extends JavaTypesContract {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }
}
