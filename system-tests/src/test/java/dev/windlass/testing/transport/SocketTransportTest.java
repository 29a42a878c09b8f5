// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.transport;

import dev.windlass.client.http.SocketTransport;

final class SocketTransportTest extends TransportContract {

  SocketTransportTest() {
    super(new SocketTransport(), true);
  }
}
