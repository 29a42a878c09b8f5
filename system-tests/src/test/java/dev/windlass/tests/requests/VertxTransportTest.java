// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;
import io.vertx.ext.web.client.WebClientOptions;

final class VertxTransportTest extends TransportContract {

  /** Gives up a handshake after 1 s rather than after Vert.x's default of 10 s. */
  private static final class Factory extends VertxHttpClientFactory {
    @Override
    protected void additionalConfig(WebClientOptions options) {
      options.setSslHandshakeTimeout(1);
    }
  }

  VertxTransportTest() {
    super(new Factory(), true);
  }
}
