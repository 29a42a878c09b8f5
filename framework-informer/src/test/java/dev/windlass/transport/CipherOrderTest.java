// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;

import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

final class CipherOrderTest {

  private static final boolean CHACHA =
      CipherOrder.isChaChaFirst(System.getProperty("java.vm.info"), null);

  @Test
  void prefersChaChaOnlyWithoutTheSecondCompilerStage() {
    assertThat(CipherOrder.isChaChaFirst("mixed mode, emulated-client, sharing", null)).isTrue();
    assertThat(CipherOrder.isChaChaFirst("interpreted mode, sharing", null)).isTrue();
    assertThat(CipherOrder.isChaChaFirst("mixed mode, sharing", null)).isFalse();
    assertThat(CipherOrder.isChaChaFirst("", null)).isFalse();
  }

  @Test
  void keepsTheOrderThatTheUserHasChosen() {
    assertThat(CipherOrder.isChaChaFirst("mixed mode, emulated-client", "TLS_AES_128_GCM_SHA256"))
        .isFalse();
  }

  @Test
  void movesChaChaToTheFrontAndKeepsTheRest() {
    assertThat(CipherOrder.chaChaFirst("TLS_A", "TLS_B", "TLS_CHACHA20_C", "D", "E_CHACHA20_F"))
        .containsExactly("TLS_CHACHA20_C", "E_CHACHA20_F", "TLS_A", "TLS_B", "D");
    assertThat(CipherOrder.chaChaFirst("TLS_A")).containsExactly("TLS_A");
  }

  @Test
  void appliesToEachConnection() throws Exception {
    try (LoopbackServer server = new LoopbackServer(Tls.SERVER);
        Client client = new Client(Tls::trust)) {
      var response = client.get("https://localhost:" + server.port());
      LoopbackServer.Peer peer = server.accept();
      SSLSocket socket = (SSLSocket) peer.socket;
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setUseCipherSuitesOrder(false); // as servers written in Go
      socket.setSSLParameters(parameters);
      peer.head();
      assertThat(socket.getSession().getCipherSuite()).contains(CHACHA ? "CHACHA20" : "AES");
      peer.respond("done");
      assertThat(Client.body(response)).isEqualTo("done");
    }
  }
}
