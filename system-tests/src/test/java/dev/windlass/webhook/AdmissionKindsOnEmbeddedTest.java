// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;

final class AdmissionKindsOnEmbeddedTest extends AdmissionKindsContract {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  AdmissionKindsOnEmbeddedTest() throws IOException {}

  @Override
  TestApiServer server() {
    return server;
  }
}
