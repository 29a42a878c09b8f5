// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.client;

import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.TestApiServer;
import dev.windlass.testing.junit.TestResource;
import io.fabric8.kubernetes.client.Config;

/**
 * Provides a {@link Manager} to tests with {@code @EmbeddedKubernetes} or {@code @RealKubernetes}.
 * The manager has the default settings. The test must register controllers and start the manager.
 */
public final class ManagerResource implements TestResource {

  /** Creates the provider. {@link java.util.ServiceLoader} calls this constructor. */
  public ManagerResource() {}

  @Override
  public Class<?> type() {
    return Manager.class;
  }

  @Override
  public Object create(TestApiServer server, Config config) {
    return Manager.builder().config(config).build();
  }
}
