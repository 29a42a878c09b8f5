// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.services;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the address of a Service in the simulated cluster. The server calls the resolver for
 * webhook Services that have no ready endpoints. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface ServiceResolver {

  /**
   * Returns the address of a Service port, or null if the Service is unknown.
   *
   * @param port the Service's port, such as 443
   */
  @Nullable InetSocketAddress resolve(String namespace, String name, int port);
}
