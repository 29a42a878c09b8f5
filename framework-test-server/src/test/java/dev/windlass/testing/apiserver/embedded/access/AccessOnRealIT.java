// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.access;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.client.Config;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AccessOnRealIT extends AccessContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @Override
  Config userConfig(String user, String... groups) {
    return kubernetes.server().userConfig(user, groups);
  }
}
