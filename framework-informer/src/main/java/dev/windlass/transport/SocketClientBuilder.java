// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import java.util.concurrent.atomic.AtomicBoolean;

/** Builds a {@link SocketClient}. A derived client shares the original client's connections. */
final class SocketClientBuilder
    extends StandardHttpClientBuilder<SocketClient, SocketTransport, SocketClientBuilder> {

  /** Whether the proxy expects TLS; fabric8 has no field for it. */
  boolean secureProxy;

  SocketClientBuilder(SocketTransport factory) {
    super(factory);
  }

  @Override
  public SocketClient build() {
    if (client != null) {
      return new SocketClient(this, client.getClosed(), client.pool(), client.fallback());
    }
    Dialer dialer = new Dialer(this, new Addresses(clientFactory.resolver()));
    ConnectionPool pool = new ConnectionPool(dialer, clientFactory.scheduler());
    return new SocketClient(this, new AtomicBoolean(), pool, new FallbackClient(this));
  }

  @Override
  protected SocketClientBuilder newInstance(SocketTransport factory) {
    return new SocketClientBuilder(factory);
  }
}
