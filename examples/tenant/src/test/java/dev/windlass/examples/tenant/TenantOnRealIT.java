// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

final class TenantOnRealIT extends TenantContract {

  private static RealApiServer server;

  @BeforeAll
  static void startsTheServer() {
    server = RealApiServer.builder().withControllerManager().start();
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
