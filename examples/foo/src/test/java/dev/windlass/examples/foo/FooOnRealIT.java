// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.foo;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

final class FooOnRealIT extends FooContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder().withControllerManager());

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }
}
