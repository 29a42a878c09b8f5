// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.services;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Returns the address at which a Service of the simulated cluster is reachable. The server asks for
 * the Services of webhooks that have no ready endpoints. Implementations must be thread-safe.
 */
@FunctionalInterface
public interface ServiceResolver {

  /**
   * Returns the address of a port of a Service, or null if the Service is unknown.
   *
   * @param port the port of the Service, such as 443
   */
  @Nullable InetSocketAddress resolve(String namespace, String name, int port);
}
