// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;

/**
 * Keeps Vert.x the transport of all clients that do not choose one, though others are on the class
 * path of these tests; fabric8 finds it as a service and takes the one with the highest priority.
 */
public final class DefaultFactory extends VertxHttpClientFactory {

  /** Made by the service loader. */
  public DefaultFactory() {}

  @Override
  public int priority() {
    return Integer.MAX_VALUE;
  }
}
