// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.admission;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;

final class WebhookAnswersOnEmbeddedTest extends WebhookAnswersContract {

  @AutoClose private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }
}
