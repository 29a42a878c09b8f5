// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.owned;

import static dev.windlass.behaviour.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Proves;
import dev.windlass.client.owned.OwnerReferences;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the real server has a say in: subresources, field ownership, finalizers in a namespace that
 * ends, and lost answers. {@link ObjectHelpersOnEmbeddedTest} runs all contracts.
 */
@Timeout(300)
final class ObjectHelpersIT {

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.sharedWithControllerManager();

  @Nested
  final class ChangedWishIT extends ChangedWishContract {
    @Override
    TestApiServer server() {
      return kubernetes.server();
    }

    @Override
    boolean hasRules() {
      return true;
    }
  }

  @Nested
  final class CreateOrUpdateIT extends CreateOrUpdateContract {
    @Override
    TestApiServer server() {
      return kubernetes.server();
    }
  }

  @Nested
  final class FinalizersIT extends FinalizersContract {
    @Override
    TestApiServer server() {
      return kubernetes.server();
    }
  }

  @Nested
  final class LostAnswerIT extends LostAnswerContract {
    @Override
    TestApiServer server() {
      return kubernetes.server();
    }
  }

  @Nested
  final class OwnedApplyIT extends OwnedApplyContract {
    @Override
    TestApiServer server() {
      return kubernetes.server();
    }
  }

  @Nested
  final class PruneIT extends PruneContract {
    @Override
    TestApiServer server() {
      return kubernetes.server();
    }
  }

  /** The garbage collector understands what is written as an owner. */
  @Test
  @Proves("000-132")
  void theGarbageCollectorDeletesWhatIsOwned() {
    try (OwnedFixture on = new OwnedFixture(kubernetes.server())) {
      // Not a custom resource: the garbage collector learns of a new type after a while only.
      ConfigMap owner = on.client.create(on.configMap("owner"));
      ConfigMap child = on.configMap("child");
      OwnerReferences.setController(child, owner);
      ConfigMap created = on.client.create(child);
      assertThat(OwnerReferences.isControlledBy(created, owner)).isTrue();
      on.kubectl.resource(owner).delete();
      eventually()
          .atMost(Duration.ofSeconds(60))
          .until(() -> on.client.get(ConfigMap.class, on.key("child")).isEmpty());
    }
  }
}
