// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.manager;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.health.HealthCheck;
import dev.windlass.manager.Manager;
import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.apiserver.real.RealApiServerExtension;
import dev.windlass.testsupport.Eventually;
import dev.windlass.testsupport.Logs;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whoever reaches the ports of a manager cannot have it killed by its own probes. */
@Timeout(300)
final class ProbeFloodIT {

  private static final int CONNECTIONS = 10_000;
  private static final int LIMIT_MILLIS = 1_000;
  private static final long SHORTEST_PERIOD_NANOS = 100_000_000L;

  @RegisterExtension
  static final RealApiServerExtension kubernetes =
      RealApiServerExtension.own(RealApiServer.builder());

  private final List<Long> runs = new CopyOnWriteArrayList<>();
  private final List<Long> waits = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  private Manager manager() {
    Manager manager =
        Manager.builder()
            .config(kubernetes.server().clientConfig())
            .healthProbeBindAddress("127.0.0.1:0")
            .metricsBindAddress("127.0.0.1:0")
            .build();
    manager.addHealthCheck("counted", () -> runs.add(System.nanoTime()));
    ControllerBuilder.forType(ConfigMap.class)
        .reconciler((request, context) -> Result.done())
        .register(manager);
    return manager;
  }

  /** Opens connections as fast as the machine can, and closes each without reading the answer. */
  private static Thread flood(int port, String path, AtomicInteger left) {
    byte[] request = (path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    Thread thread =
        new Thread(
            () -> {
              while (left.getAndDecrement() > 0) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                  socket.getOutputStream().write(request);
                } catch (IOException e) {
                  // the server may close it first
                }
              }
            });
    thread.start();
    return thread;
  }

  private void probe(int port, String path) {
    long begun = System.nanoTime();
    String status;
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 60 * LIMIT_MILLIS);
      socket.setSoTimeout(60 * LIMIT_MILLIS);
      String request = "GET " + path + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      status = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      status = e.toString();
    }
    long millis = (System.nanoTime() - begun) / 1_000_000;
    waits.add(millis);
    if (!status.startsWith("HTTP/1.1 200") || millis > LIMIT_MILLIS) {
      failures.add(path + " '" + status + "' after " + millis + " ms");
    }
  }

  private List<Thread> flood(Manager manager, AtomicInteger left) {
    int probes = manager.endpoints().probePort().orElseThrow();
    int metrics = manager.endpoints().metricsPort().orElseThrow();
    return List.of(
        flood(probes, "GET /livez", left),
        flood(probes, "GET /readyz?verbose", left),
        flood(metrics, "GET /metrics", new AtomicInteger(CONNECTIONS / 10)));
  }

  @Test
  void answersProbesBesideTenThousandConnectionsClosedUnread() throws Exception {
    try (Logs logs = Logs.by(Level.INFO, "dev.windlass", "com.sun.net.httpserver");
        Manager manager = manager()) {
      manager.start();
      int port = manager.endpoints().probePort().orElseThrow();
      Eventually.that(
          () ->
              assertThat(manager.endpoints().check(HealthCheck.Kind.READY).values())
                  .allMatch(Optional::isEmpty));
      AtomicBoolean flooding = new AtomicBoolean(true);
      List<Thread> probing = new ArrayList<>();
      for (String path : List.of("/livez", "/readyz")) {
        Thread thread =
            new Thread(
                () -> {
                  while (flooding.get()) {
                    probe(port, path);
                  }
                });
        thread.start();
        probing.add(thread);
      }
      for (Thread thread : flood(manager, new AtomicInteger(CONNECTIONS))) {
        thread.join();
      }
      flooding.set(false);
      for (Thread thread : probing) {
        thread.join();
      }
      System.out.printf(
          "%d probes beside %d connections: longest %d ms, %d runs of each check%n",
          waits.size(),
          CONNECTIONS,
          waits.stream().mapToLong(Long::longValue).max().orElse(0),
          runs.size());
      assertThat(failures).isEmpty();
      for (int i = 1; i < runs.size(); i++) {
        assertThat(runs.get(i) - runs.get(i - 1)).isGreaterThanOrEqualTo(SHORTEST_PERIOD_NANOS);
      }
      List<Thread> stopping = flood(manager, new AtomicInteger(CONNECTIONS));
      Thread.sleep(100);
      manager.stop();
      for (Thread thread : stopping) {
        thread.join();
      }
      assertThat(logs.lines())
          .as("lines per abandoned request")
          .allMatch(line -> line.startsWith("INFO "))
          .hasSizeLessThan(20);
    }
  }
}
