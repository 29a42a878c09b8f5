// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.transport;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;

final class VertxTransportTest extends TransportContract {

  VertxTransportTest() {
    super(new VertxHttpClientFactory(), true);
  }
}
