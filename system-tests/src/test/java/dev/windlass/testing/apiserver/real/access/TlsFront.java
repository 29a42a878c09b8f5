// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.real.access;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.SocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The server's end of TLS, in front of an API server, with a certificate that a test swaps. */
final class TlsFront implements AutoCloseable {

  private final ServerSocket door;
  private final SocketFactory backend;
  private final int backendPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile SSLContext context;

  /**
   * A front for a port of this machine.
   *
   * @param backend connects with it
   */
  TlsFront(Credentials server, SocketFactory backend, int backendPort) throws IOException {
    this.context = context(server);
    this.backend = backend;
    this.backendPort = backendPort;
    this.door = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
    start("tls-front", this::accept);
  }

  private static SSLContext context(Credentials server) {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry(
          "server", server.key(), new char[0], new X509Certificate[] {server.certificate()});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, new char[0]);
      SSLContext made = SSLContext.getInstance("TLS");
      made.init(keys.getKeyManagers(), null, null);
      return made;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("can't serve TLS with " + server, e);
    }
  }

  String url() {
    return "https://127.0.0.1:" + door.getLocalPort() + "/";
  }

  /** Goes on with another certificate, as a server that was restarted. */
  void present(Credentials server) {
    context = context(server);
    drop();
  }

  /** Ends all connections. */
  void drop() {
    open.forEach(TlsFront::end);
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket plain = door.accept();
        start("tls-front-link", () -> serve(plain));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket plain) {
    open.add(plain);
    try (SSLSocket client =
        (SSLSocket) context.getSocketFactory().createSocket(plain, null, plain.getPort(), true)) {
      client.setUseClientMode(false);
      client.startHandshake();
      try (Socket server = backend.createSocket(InetAddress.getLoopbackAddress(), backendPort)) {
        Thread answers = start("tls-front-answers", () -> pump(server, client));
        pump(client, server);
        end(server);
        answers.join();
      }
    } catch (IOException e) {
      end(plain); // it does not trust us
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(plain);
    }
  }

  private static void pump(Socket from, Socket to) {
    try {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      byte[] buffer = new byte[16 * 1024];
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        output.write(buffer, 0, read);
        output.flush();
      }
    } catch (IOException e) {
      // one side is gone, and so is the other
    }
    end(from);
    end(to);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // gone
    }
  }

  private static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Override
  public void close() {
    try {
      door.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    drop();
  }
}
