// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLServerSocket;

/** A server on loopback whose part the test plays itself, one step after another. */
final class LoopbackServer implements AutoCloseable {

  private static final int LIMIT_MILLIS = 20_000;

  private final ServerSocket door;
  private final List<Peer> peers = new ArrayList<>();

  LoopbackServer() throws IOException {
    this(ServerSocketFactory.getDefault());
  }

  LoopbackServer(ServerSocketFactory sockets) throws IOException {
    door = sockets.createServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
  }

  /** Requests a certificate of each client. */
  void requireCertificates() {
    ((SSLServerSocket) door).setNeedClientAuth(true);
  }

  int port() {
    return door.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port() + "/";
  }

  /** Waits for the next connection. */
  /** The next connection, when the head of its first request has arrived. */
  Peer asked() throws IOException {
    Peer peer = accept();
    peer.head();
    return peer;
  }

  Peer accept() throws IOException {
    door.setSoTimeout(LIMIT_MILLIS);
    Peer peer = new Peer(door.accept());
    peers.add(peer);
    return peer;
  }

  /** Returns whether a connection waits that nobody has accepted. */
  boolean hasFurther() throws IOException {
    door.setSoTimeout(1);
    try {
      door.accept().close();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    for (Peer peer : peers) {
      peer.close();
    }
  }

  /** The server's end of a connection. */
  static final class Peer {
    final Socket socket;
    private final InputStream in;

    Peer(Socket socket) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
      socket.setSoTimeout(LIMIT_MILLIS);
    }

    /** Reads a request to the end of its header, in which '|' stands for a line break. */
    String head() throws IOException {
      ByteArrayOutputStream head = new ByteArrayOutputStream();
      while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException("the client closed the connection after '" + head + "'");
        }
        head.write(next);
      }
      return head.toString(StandardCharsets.ISO_8859_1).replace("\r\n", "|");
    }

    String body(int length) throws IOException {
      return new String(in.readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Sends bytes, in which '|' stands for a line break. */
    Peer send(String text) throws IOException {
      socket.getOutputStream().write(text.replace("|", "\r\n").getBytes(StandardCharsets.UTF_8));
      return this;
    }

    /** Sends a complete response. */
    Peer respond(String body) throws IOException {
      return send("HTTP/1.1 200 OK|Content-Length: " + body.length() + "||" + body);
    }

    /** Reads everything until the client has closed the connection. */
    void drain() throws IOException {
      try {
        in.transferTo(OutputStream.nullOutputStream());
      } catch (SocketException | SSLException e) {
        // The client has closed the connection without announcing it.
      }
    }

    /** Returns whether the client closes the connection, rather than send bytes. */
    boolean isClosedByClient() throws IOException {
      try {
        return in.read() < 0;
      } catch (SocketTimeoutException e) {
        throw new AssertionError("the client has not closed the connection", e);
      } catch (SocketException | SSLException e) {
        return true; // the client has not read everything, or has not announced the end
      }
    }

    void close() throws IOException {
      socket.close();
    }
  }
}
