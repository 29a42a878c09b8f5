// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReservedPortsTest {

  @Test
  void givesDistinctPortsToServersOfOneSeed() {
    ReservedPorts first = ReservedPorts.take(new Random(1));
    ReservedPorts second = ReservedPorts.take(new Random(1));
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
    ReservedPorts wanted = ReservedPorts.take(new Random(2));
    wanted.release();
    try (ServerSocket other =
        new ServerSocket(wanted.apiServer(), 1, InetAddress.getLoopbackAddress())) {
      ReservedPorts others = ReservedPorts.take(new Random(2));
      others.release();

      assertThat(others.etcdClient()).isEqualTo(wanted.etcdClient());
      assertThat(others.apiServer()).isNotEqualTo(other.getLocalPort());
    }
  }
}
