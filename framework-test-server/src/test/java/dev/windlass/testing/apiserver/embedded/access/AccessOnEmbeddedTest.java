// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import io.fabric8.kubernetes.client.Config;
import org.junit.jupiter.api.AutoClose;

final class AccessOnEmbeddedTest extends AccessContract {

  @AutoClose
  private final EmbeddedApiServer server = EmbeddedApiServer.builder().withRbac().start();

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  Config userConfig(String user, String... groups) {
    return server.userConfig(user, groups);
  }
}
