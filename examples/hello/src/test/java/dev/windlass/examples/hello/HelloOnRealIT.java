// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.hello;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

final class HelloOnRealIT extends HelloContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().withControllerManager());

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }
}
