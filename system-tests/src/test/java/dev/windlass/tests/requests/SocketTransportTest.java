// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import dev.windlass.transport.SocketTransport;

final class SocketTransportTest extends TransportContract {

  SocketTransportTest() {
    super(new SocketTransport(), true);
  }
}
