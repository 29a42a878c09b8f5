// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.testing.FakeListerWatcher;
import dev.windlass.testing.core.Threads;
import io.fabric8.kubernetes.client.Config;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In real time, as that is what it is about. */
@Timeout(120)
final class BusyMachineTest {

  /** More than a kubelet's patience in the manual would be too long; a test shares its machine. */
  private static final Duration BOUND = Duration.ofSeconds(5);

  private final FakeListerWatcher server = new FakeListerWatcher();
  private final Manager manager =
      Manager.builder()
          .config(Config.empty())
          .checkPermissions(false)
          .connector(client -> (type, scope) -> server)
          .healthProbeBindAddress("127.0.0.1:0")
          .build();
  private final Threads spinning = new Threads();
  private volatile boolean over;

  @AfterEach
  void stops() throws InterruptedException {
    over = true;
    spinning.assertEnded();
    manager.close();
  }

  @Test
  void answersProbesWithin5SecondsWhileThreadsSpinOnAllCores() throws Exception {
    manager.start();
    HttpClient client = HttpClient.newHttpClient();
    int port = manager.endpoints().probePort().orElseThrow();
    HttpRequest probe =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/livez"))
            .timeout(BOUND)
            .build();
    assertThat(client.send(probe, HttpResponse.BodyHandlers.ofString()).body()).isEqualTo("ok\n");
    for (int i = 0; i < 4 * Runtime.getRuntime().availableProcessors(); i++) {
      spinning.start(
          () -> {
            while (!over) {
              Thread.onSpinWait();
            }
          });
    }
    for (int i = 0; i < 10; i++) {
      assertThat(client.send(probe, HttpResponse.BodyHandlers.ofString()).body()).isEqualTo("ok\n");
    }
  }
}
