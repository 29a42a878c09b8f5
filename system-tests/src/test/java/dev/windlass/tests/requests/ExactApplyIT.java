// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Without a controller manager, which would write, too. */
final class ExactApplyIT extends ExactApplyContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @Override
  int sequences() {
    return Integer.getInteger("applies", 500);
  }
}
