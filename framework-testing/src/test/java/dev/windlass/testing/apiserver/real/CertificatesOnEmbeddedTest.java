// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import javax.net.SocketFactory;
import org.junit.jupiter.api.AfterEach;

final class CertificatesOnEmbeddedTest extends CertificatesContract {

  private final EmbeddedApiServer server = EmbeddedApiServer.start();

  @AfterEach
  void stopsTheServer() {
    server.close();
  }

  @Override
  TestApiServer server() {
    return server;
  }

  @Override
  SocketFactory backend() {
    return SocketFactory.getDefault();
  }
}
