// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import dev.windlass.client.Client;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import dev.windlass.testing.client.FakeClient;
import dev.windlass.tests.owned.Widget;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** On the embedded server with caches, and with the fake client. */
final class DryRunOnEmbeddedTest {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @BeforeAll
  static void installs() {
    server.install(Widget.definition());
  }

  @Nested
  final class DryRunTest extends DryRunContract {

    @AutoClose private final Manager manager = DryRunContract.cachingManager(server);

    @Override
    Client client() {
      return manager.client();
    }

    static Stream<Case> cases() {
      return writes();
    }
  }

  @Nested
  final class FakeClientDryRunTest extends DryRunContract {

    @Override
    Client client() {
      EmbeddedApiServer own =
          EmbeddedApiServer.builder().withoutThreads().garbageCollection(false).start();
      own.install(Widget.definition());
      return FakeClient.of(own).withFieldOwner("dry");
    }

    static Stream<Case> cases() {
      return writes();
    }
  }
}
