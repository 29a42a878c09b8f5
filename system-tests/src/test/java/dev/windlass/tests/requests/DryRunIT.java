// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import dev.windlass.client.Client;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.tests.owned.Widget;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** There is no controller manager, which would write as well. */
final class DryRunIT extends DryRunContract {

  @RegisterExtension
  static final RealApiServerExtension kubernetes = RealApiServerExtension.shared();

  @AutoClose private Manager manager;

  @BeforeEach
  void starts() {
    kubernetes.server().install(Widget.definition());
    manager = cachingManager(kubernetes.server());
  }

  @Override
  Client client() {
    return manager.client();
  }

  static Stream<Case> cases() {
    return Stream.concat(writes(), ofPods());
  }
}
