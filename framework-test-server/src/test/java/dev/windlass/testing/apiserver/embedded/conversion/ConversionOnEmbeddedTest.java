// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.conversion;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;

final class ConversionOnEmbeddedTest extends ConversionContract {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }
}
