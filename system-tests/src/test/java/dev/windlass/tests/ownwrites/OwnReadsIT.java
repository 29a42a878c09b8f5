// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.provider.Arguments;

/**
 * What the real server answers to each write. What each kind of cache makes of the answer does not
 * depend on the server. There is no controller manager, which would write as well.
 */
final class OwnReadsIT extends OwnReadsContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  static Stream<Arguments> cases() {
    return cases(true, Cached.WATCHED, Cached.NARROWED);
  }
}
