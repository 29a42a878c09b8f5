// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.informer;

import dev.windlass.testing.apiserver.real.RealApiServer;
import dev.windlass.testing.fault.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Breaks networks and servers at random, one at a time. Used by one thread. */
final class Nemesis {

  /** A fault of which nothing is left when it returns, but what it did to connections. */
  private interface Fault {
    void happen() throws InterruptedException;
  }

  private final RealApiServer server;
  private final List<Line> lines;
  private final Random random;
  private final Map<String, Integer> done = new TreeMap<>();

  Nemesis(RealApiServer server, List<Line> lines, long seed) {
    this.server = server;
    this.lines = lines;
    this.random = new Random(seed);
  }

  /** What happened, and how often. */
  Map<String, Integer> done() {
    return done;
  }

  /** One fault, from its beginning to its end, and a while of peace. */
  void strike() throws InterruptedException {
    TcpProxy network = lines.get(random.nextInt(lines.size())).network();
    switch (random.nextInt(18)) {
      case 0, 1, 2 -> on(network, "cut", network::cut, 2_000);
      case 3, 4 -> on(network, "freeze", network::freeze, 5_000);
      case 5 -> on(network, "forget", network::forget, 1);
      case 6, 7, 8 ->
          on(network, "reset", () -> network.resetAfter(1 + random.nextInt(30_000)), 3_000);
      case 9 ->
          on(network, "throttle", () -> network.throttle(500 + random.nextInt(50_000)), 3_000);
      case 10 -> on(network, "latency", () -> network.latency(millis(800)), 3_000);
      case 11 -> on(network, "idle", () -> network.closeIdleAfter(millis(500)), 3_000);
      case 12 -> on(network, "lost answers", network::dropAnswers, 3_000);
      case 13 -> happens("compaction", server::compact);
      case 14 -> happens("kill", this::restartApiServer);
      case 15 ->
          happens(
              "kill and compaction",
              () -> {
                server.killApiServer();
                server.compact();
                server.startApiServer();
              });
      case 16 ->
          happens(
              "hanging server",
              () -> {
                server.pauseApiServer();
                sleep(3_000);
                server.resumeApiServer();
              });
      default ->
          happens(
              "hanging etcd",
              () -> {
                server.pauseEtcd();
                sleep(3_000);
                server.resumeEtcd();
              });
    }
    sleep(1_500);
  }

  private void restartApiServer() {
    server.killApiServer();
    server.startApiServer();
  }

  private void on(TcpProxy network, String name, Fault fault, int atMost)
      throws InterruptedException {
    happens(
        name,
        () -> {
          fault.happen();
          sleep(atMost);
          network.heal();
        });
  }

  private void happens(String name, Fault fault) throws InterruptedException {
    fault.happen();
    done.merge(name, 1, Integer::sum);
  }

  private Duration millis(int atMost) {
    return Duration.ofMillis(1 + random.nextInt(atMost));
  }

  private void sleep(int atMost) throws InterruptedException {
    Thread.sleep(random.nextInt(atMost));
  }
}
