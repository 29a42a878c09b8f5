// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.client.Config;

/**
 * Provides an additional type of object that {@link EmbeddedKubernetes} and {@link RealKubernetes}
 * inject into tests. The extension finds implementations with {@link java.util.ServiceLoader}.
 * {@code framework-testing} contains an implementation for {@code Manager}.
 */
public interface TestResource {

  /** Returns the type of the parameters and fields into which the object is injected. */
  Class<?> type();

  /**
   * Creates the object for one test. If the object is {@link AutoCloseable}, the extension closes
   * it after the test.
   *
   * @param config a client configuration for the server; its namespace is the default namespace of
   *     the test
   */
  Object create(TestApiServer server, Config config);
}
