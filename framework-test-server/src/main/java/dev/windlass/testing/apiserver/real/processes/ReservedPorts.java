// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The loopback ports that are reserved for one server. Other servers in this JVM do not use these
 * ports until {@link #release()} is called.
 *
 * <p>The ports are below the ephemeral range from which systems choose the ports of outgoing
 * connections: 32768 and above on Linux, and 49152 and above on other systems. Therefore, no
 * outgoing connection occupies a reserved port before its server starts, or while its server is
 * stopped.
 */
public record ReservedPorts(int etcdClient, int etcdPeer, int apiServer) {

  private static final int LOWEST = 20_000;
  private static final int BEYOND = 32_000;
  private static final int TRIES = 1_000;

  /** The ports that this JVM has reserved. A stopped server keeps its ports. */
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  public static ReservedPorts take(RandomGenerator random) {
    return new ReservedPorts(takeOne(random), takeOne(random), takeOne(random));
  }

  void release() {
    release(etcdClient);
    release(etcdPeer);
    release(apiServer);
  }

  public static void release(int port) {
    TAKEN.remove(port);
  }

  public String etcdUrl() {
    return "http://127.0.0.1:" + etcdClient;
  }

  String etcdPeerUrl() {
    return "http://127.0.0.1:" + etcdPeer;
  }

  public String apiServerUrl() {
    return httpsUrl(apiServer);
  }

  public static String httpsUrl(int port) {
    return "https://127.0.0.1:" + port;
  }

  /**
   * Reserves a free port and returns it. It remains reserved until {@link #release(int)} is called.
   */
  public static int takeOne(RandomGenerator random) {
    for (int i = 0; i < TRIES; i++) {
      int port = random.nextInt(LOWEST, BEYOND);
      if (TAKEN.add(port)) {
        if (isFree(port)) {
          return port;
        }
        TAKEN.remove(port);
      }
    }
    throw new IllegalStateException(
        "no free loopback port between %d and %d in %d tries".formatted(LOWEST, BEYOND, TRIES));
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
