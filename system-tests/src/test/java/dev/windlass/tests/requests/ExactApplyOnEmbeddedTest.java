// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;

final class ExactApplyOnEmbeddedTest extends ExactApplyContract {

  @AutoClose
  private static final EmbeddedApiServer server =
      EmbeddedApiServer.builder().deploymentController(false).start();

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  int sequences() {
    return Integer.getInteger("applies", 300);
  }
}
