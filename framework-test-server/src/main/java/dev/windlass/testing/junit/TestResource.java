// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.junit;

import dev.windlass.testing.apiserver.TestApiServer;
import io.fabric8.kubernetes.client.Config;

/**
 * Adds a type to the types that {@link EmbeddedKubernetes} and {@link RealKubernetes} inject.
 * {@link java.util.ServiceLoader} finds the implementations. {@code framework-testing} implements
 * this interface for {@code Manager}.
 */
public interface TestResource {

  /** Returns the type of the injected parameters and fields. */
  Class<?> type();

  /**
   * Creates the object for one test. If it is {@link AutoCloseable}, the extension closes it after
   * the test.
   *
   * @param config a configuration for the server, with the test's default namespace
   */
  Object create(TestApiServer server, Config config);
}
