// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.probes;

import dev.windlass.testing.apiserver.embedded.EmbeddedApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A watch on a bare socket with a small buffer that is read only when the test says so. */
public final class SlowWatcher implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket = new Socket();

  public SlowWatcher(EmbeddedApiServer server, String path) {
    URI uri = URI.create(server.url());
    try {
      socket.setReceiveBufferSize(4096);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()));
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads until the server ends the watch. */
  public int countEventsToTheEnd() {
    int events = 0;
    try {
      BufferedReader reader =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.contains("{\"type\":")) {
          events++;
        }
        if (line.equals("0")) {
          break;
        }
      }
      return events;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
