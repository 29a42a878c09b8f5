// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a Service is in a cluster: each new connection goes to the next replica.
 *
 * <p>It listens on an address that is not a loopback address, if there is one: an API server uses
 * HTTP/1.1, and thus several connections, for all webhooks but those on its own machine.
 */
final class Balancer implements AutoCloseable {

  private final ServerSocket listener;
  private final String host;
  private final List<Integer> ports = new CopyOnWriteArrayList<>();
  private final Map<Socket, Integer> open = new ConcurrentHashMap<>();

  private Balancer() throws IOException {
    listener = new ServerSocket(0);
    host = host();
  }

  static Balancer open() throws IOException {
    Balancer balancer = new Balancer();
    var unused = start("accept", balancer::accept);
    return balancer;
  }

  private static String host() throws IOException {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .map(InetAddress::getHostAddress)
        .findFirst()
        .orElse("127.0.0.1");
  }

  String address() {
    return "https://" + host + ":" + listener.getLocalPort();
  }

  void add(int port) {
    ports.add(port);
  }

  /** Sends no further connections there. Those that are open stay open. */
  void remove(int port) {
    ports.remove((Object) port);
  }

  /** How many connections to a replica are open. */
  long connections(int port) {
    return open.values().stream().filter(each -> each == port).count();
  }

  private void accept() throws IOException {
    for (int next = 0; ; next++) {
      Socket client = listener.accept();
      List<Integer> now = List.copyOf(ports);
      if (now.isEmpty()) {
        client.close();
        continue;
      }
      int port = now.get(next % now.size());
      var unused = start("connect", () -> connect(client, port));
    }
  }

  private void connect(Socket client, int port) throws IOException {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port)) {
      open.put(client, port);
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      Thread back = start("answers", () -> copy(server, client));
      copy(client, server);
      back.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private static void copy(Socket from, Socket to) throws IOException {
    try (InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static Thread start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // The connection or the balancer was closed.
              }
            },
            "balancer-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open.keySet()) {
      socket.close();
    }
  }
}
