// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortsTest {

  @Test
  void givesDistinctPortsToServersOfOneSeed() {
    Ports first = Ports.take(new Random(1));
    Ports second = Ports.take(new Random(1));
    try {
      assertThat(
              new int[] {
                first.etcdClient(), first.etcdPeer(), first.apiServer(),
                second.etcdClient(), second.etcdPeer(), second.apiServer()
              })
          .doesNotHaveDuplicates();
    } finally {
      first.release();
      second.release();
    }
  }

  @Test
  void passesOverAPortThatSomeoneListensOn() throws Exception {
    Ports wanted = Ports.take(new Random(2));
    wanted.release();
    try (ServerSocket other =
        new ServerSocket(wanted.apiServer(), 1, InetAddress.getLoopbackAddress())) {
      Ports others = Ports.take(new Random(2));
      others.release();

      assertThat(others.etcdClient()).isEqualTo(wanted.etcdClient());
      assertThat(others.apiServer()).isNotEqualTo(other.getLocalPort());
    }
  }
}
