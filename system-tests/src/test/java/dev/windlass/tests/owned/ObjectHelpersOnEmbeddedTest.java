// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.owned;

import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;

/** The contracts of the helpers for objects, on the embedded server. */
@Timeout(60)
final class ObjectHelpersOnEmbeddedTest {

  @AutoClose private static final EmbeddedApiServer server = EmbeddedApiServer.start();

  @Nested
  final class BlockedNameTest extends BlockedNameContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class ChangedWishTest extends ChangedWishContract {
    @Override
    TestApiServer server() {
      return server;
    }

    @Override
    boolean hasRules() {
      return false;
    }
  }

  @Nested
  final class CreateOrUpdateTest extends CreateOrUpdateContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class FinalizersTest extends FinalizersContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class LostAnswerTest extends LostAnswerContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class OwnedApplyTest extends OwnedApplyContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }

  @Nested
  final class PruneTest extends PruneContract {
    @Override
    TestApiServer server() {
      return server;
    }
  }
}
