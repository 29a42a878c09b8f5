// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import dev.windlass.informer.reflector.ListerWatcher;
import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.object.ObjectKey;
import dev.windlass.testing.contract.ListerWatcherContract;
import org.junit.jupiter.api.AfterEach;

final class FakeListerWatcherContractTest extends ListerWatcherContract {

  private final FakeListerWatcher server = new FakeListerWatcher();

  @AfterEach
  void leavesNothingOpen() {
    server.assertNothingOpen();
  }

  @Override
  protected ListerWatcher listerWatcher() {
    return server;
  }

  @Override
  protected void put(String name, String data) {
    server.put(
        """
        {"apiVersion": "v1", "kind": "ConfigMap",
         "metadata": {"namespace": "default", "name": "%s"}, "data": {"data": "%s"}}
        """
            .formatted(name, data));
  }

  @Override
  protected void delete(String name) {
    server.delete(ObjectKey.of("default", name));
  }

  @Override
  protected void expireVersions() {
    server.compact();
  }
}
