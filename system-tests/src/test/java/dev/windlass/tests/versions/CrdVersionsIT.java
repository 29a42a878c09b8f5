// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.versions;

import static dev.windlass.testsupport.Patience.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Rights;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class CrdVersionsIT extends CrdVersionsContract {

  private static final String USER = "lamp-migration";

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @Override
  TestApiServer server() {
    return kubernetes.server();
  }

  @Test
  void aMigrationNeedsOnlyThePermissionsThatItDeclares() {
    install("v1");
    create(Lamps.first("desk", "room:80"));
    change("v2", webhook);
    eventually()
        .atMost(Duration.ofSeconds(30))
        .until(() -> storedVersions().equals(List.of("v1", "v2")));
    try (Manager limited = Manager.builder().config(kubernetes.server().userConfig(USER)).build()) {
      var unused = migration().register(limited);
      limited.permissions().roles(USER).forEach(role -> client.resource(role).serverSideApply());
      Rights.bind(client, USER, Rights.user(USER));
      limited.start();
      eventually()
          .atMost(Duration.ofSeconds(30))
          .until(() -> storedVersions().equals(List.of("v2")));
      assertThat(limited.missingPermissions()).isEmpty();
    }
  }
}
