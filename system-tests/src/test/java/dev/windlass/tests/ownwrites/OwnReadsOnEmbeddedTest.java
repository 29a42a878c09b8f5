// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.ownwrites;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.provider.Arguments;

final class OwnReadsOnEmbeddedTest extends OwnReadsContract {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Override
  TestApiServer server() {
    return server;
  }

  /** The server has no bindings and evictions of Pods. */
  static Stream<Arguments> cases() {
    return cases(false, Cached.values());
  }
}
