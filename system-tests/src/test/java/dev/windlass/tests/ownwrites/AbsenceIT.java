// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

final class AbsenceIT extends AbsenceContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }
}
