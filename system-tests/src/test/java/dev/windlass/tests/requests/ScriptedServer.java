// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.requests;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An HTTP server that does with each request what the test says, byte by byte, also what no server
 * should. A connection serves one request.
 */
final class ScriptedServer implements AutoCloseable {

  /** What to do with a request. When it returns, or its client is gone, the connection ends. */
  interface Script {
    void play(Connection connection) throws IOException, InterruptedException;
  }

  private final ServerSocket door;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
  private volatile Script script = connection -> {};

  ScriptedServer() {
    try {
      door = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + door.getLocalPort();
  }

  void play(Script next) {
    script = next;
  }

  /** The first lines of the requests that nobody has taken out. */
  BlockingQueue<String> requests() {
    return requests;
  }

  private void start(Runnable task) {
    Thread thread = new Thread(task, "scripted-server");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = door.accept();
        open.add(socket);
        start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      Connection connection = new Connection(socket);
      requests.add(connection.head.lines().findFirst().orElse(""));
      script.play(connection);
    } catch (IOException e) {
      // The client is gone, or the test is over.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
      threads.remove(Thread.currentThread());
    }
  }

  /** One request, and what becomes of it. */
  static final class Connection {
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String head;

    private Connection(Socket socket) throws IOException {
      this.socket = socket;
      in = socket.getInputStream();
      out = socket.getOutputStream();
      head = readHead();
    }

    /** The request line and the header fields of the next request on this connection. */
    String readHead() throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        int b = in.read();
        if (b < 0) {
          throw new IOException("no request");
        }
        bytes.write(b);
      }
      return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** The request line and the header fields. */
    String head() {
      return head;
    }

    /** The value of a header field, or an empty string. */
    String header(String name) {
      return head.lines()
          .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("");
    }

    /** Reads the body of the request, as far as its length is known. */
    void readBody() throws IOException {
      String length = header("Content-Length");
      in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    }

    /** Sends these bytes as they are. */
    void raw(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    void raw(String text) throws IOException {
      raw(text.getBytes(StandardCharsets.UTF_8));
    }

    /** The head of an answer. */
    void answer(int status, String... fields) throws IOException {
      StringBuilder answer = new StringBuilder("HTTP/1.1 " + status + " Scripted\r\n");
      answer.append("Connection: close\r\n");
      for (String field : fields) {
        answer.append(field).append("\r\n");
      }
      raw(answer.append("\r\n").toString());
    }

    /** The head of an answer in chunks. */
    void stream(String... fields) throws IOException {
      String[] all = Arrays.copyOf(fields, fields.length + 1);
      all[fields.length] = "Transfer-Encoding: chunked";
      answer(200, all);
    }

    static byte[] asChunk(byte[] bytes) {
      ByteArrayOutputStream chunk = new ByteArrayOutputStream();
      chunk.writeBytes(
          (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.UTF_8));
      chunk.writeBytes(bytes);
      chunk.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
      return chunk.toByteArray();
    }

    void chunk(byte[] bytes) throws IOException {
      raw(asChunk(bytes));
    }

    void chunk(String text) throws IOException {
      chunk(text.getBytes(StandardCharsets.UTF_8));
    }

    void endOfChunks() throws IOException {
      raw("0\r\n\r\n");
    }

    /** A whole answer. */
    void whole(int status, String body, String... fields) throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      String[] all = Arrays.copyOf(fields, fields.length + 1);
      all[fields.length] = "Content-Length: " + bytes.length;
      answer(status, all);
      raw(bytes);
    }

    /** Breaks the connection off, as a crash does, instead of ending it. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }

    /** Returns when the client has ended the connection. */
    void awaitEnd() {
      try {
        while (in.read() >= 0) {
          // it says nothing any more
        }
      } catch (IOException e) {
        // so it did
      }
    }
  }

  @Override
  public void close() {
    try {
      door.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.forEach(Thread::interrupt);
  }
}
