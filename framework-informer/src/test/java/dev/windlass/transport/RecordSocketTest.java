// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

final class RecordSocketTest {

  /** The type, the version and the length, which is 2, and a content of two bytes. */
  private static final String RECORD = "1703030002abcd";

  @Test
  void knowsWhetherAWholeRecordHasArrived() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        RecordSocket client = new RecordSocket()) {
      client.connect(server.getLocalSocketAddress());
      assertThat(client.hasRecord()).as("before the first read").isFalse();
      try (Socket peer = server.accept()) {
        byte[] sent = HexFormat.of().parseHex(RECORD + RECORD + "1703030002ab");
        peer.getOutputStream().write(sent);
        InputStream in = client.getInputStream();
        assertThat(in.read()).isEqualTo(0x17);
        assertThat(in.readNBytes(6)).as("the rest of the first record").hasSize(6);
        assertThat(client.hasRecord()).as("the second record").isTrue();
        assertThat(in.readNBytes(7)).isEqualTo(HexFormat.of().parseHex(RECORD));
        assertThat(client.hasRecord()).as("the third record lacks a byte").isFalse();
        assertThat(in.available()).isEqualTo(6);
        assertThat(in.readNBytes(6)).hasSize(6);
      }
      assertThat(client.getInputStream().read()).as("the end").isEqualTo(-1);
      assertThat(client.hasRecord()).isFalse();
    }
  }
}
