// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Writes responses through the JDK's HTTP server. */
public final class HttpReply {
  /**
   * The maximum size of an uncompressed response: 128 KiB, as in kube-apiserver. Larger responses
   * are compressed if the client supports compression.
   */
  private static final int GZIP_FROM = 128 * 1024;

  private static final String JSON = "application/json";

  private HttpReply() {}

  /**
   * Sends a complete JSON response. Compresses the response if it is large and the client supports
   * compression.
   */
  public static void json(HttpExchange exchange, int code, JsonNode body) throws IOException {
    byte[] bytes = Json.bytes(body);
    Headers headers = exchange.getResponseHeaders();
    String accepted = exchange.getRequestHeaders().getFirst("Accept-Encoding");
    if (bytes.length > GZIP_FROM && accepted != null && accepted.contains("gzip")) {
      headers.set("Content-Encoding", "gzip");
      headers.set("Vary", "Accept-Encoding");
      bytes = zip(bytes);
    }
    if (code == 429) {
      headers.set("Retry-After", "1");
    }
    send(exchange, code, JSON, bytes);
  }

  private static byte[] zip(byte[] bytes) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
      gzip.write(bytes);
    }
    return zipped.toByteArray();
  }

  /** Sends a complete plain-text response. */
  public static void text(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    send(exchange, code, "text/plain; charset=utf-8", bytes);
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] bytes)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /**
   * Starts a chunked JSON response of unlimited length. Flushing the stream sends the data that has
   * been written so far.
   */
  public static OutputStream stream(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", JSON);
    exchange.sendResponseHeaders(200, 0);
    return exchange.getResponseBody();
  }
}
