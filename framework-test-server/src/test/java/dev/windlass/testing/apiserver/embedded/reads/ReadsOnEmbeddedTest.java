// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.reads;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;

final class ReadsOnEmbeddedTest extends ReadsContract {

  @AutoClose
  private final EmbeddedApiServer server =
      EmbeddedApiServer.builder().catchUpTimeout(Duration.ofMillis(500)).start();

  @Override
  TestApiServer server() {
    return server;
  }
}
