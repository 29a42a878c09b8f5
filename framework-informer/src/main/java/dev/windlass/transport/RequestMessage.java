// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.logging.OneLine;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An HTTP request that can be written to a connection. */
final class RequestMessage {

  /** The maximum size of a body that is sent in the same write as the header: 64 KiB. */
  private static final int SMALL = 64 * 1024;

  /** The maximum number of bytes of a stream that are sent in one write: 16 KiB. */
  private static final int PIECE = 16 * 1024;

  private final StandardHttpRequest request;
  private final URI uri;
  private final Origin origin;
  private final byte @Nullable [] body;
  private final @Nullable InputStream stream;
  private final long length;

  private RequestMessage(
      StandardHttpRequest request,
      byte @Nullable [] body,
      @Nullable InputStream stream,
      long length) {
    this.request = request;
    this.uri = ascii(request.uri());
    this.origin = Origin.of(uri);
    this.body = body;
    this.stream = stream;
    this.length = length;
  }

  /**
   * Returns the message for a request.
   *
   * @throws IllegalArgumentException if the request cannot be written, for example because a header
   *     contains a line break
   */
  static RequestMessage of(StandardHttpRequest request) {
    requireOneLine("method", request.method());
    if (request.getContentType() != null) {
      requireOneLine("header Content-Type", request.getContentType());
    }
    for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
      String name = "header ".concat(header.getKey());
      requireOneLine(name, name);
      for (String value : header.getValue()) {
        requireOneLine(name, value);
      }
    }
    StandardHttpRequest.BodyContent content = request.body();
    if (content instanceof StandardHttpRequest.StringBodyContent text) {
      byte[] bytes = text.getContent().getBytes(StandardCharsets.UTF_8);
      return new RequestMessage(request, bytes, null, bytes.length);
    }
    if (content instanceof StandardHttpRequest.ByteArrayBodyContent array) {
      return new RequestMessage(request, array.getContent(), null, array.getContent().length);
    }
    if (content instanceof StandardHttpRequest.InputStreamBodyContent stream) {
      return new RequestMessage(request, null, stream.getContent(), stream.getLength());
    }
    return new RequestMessage(request, null, null, hasBodyByNature(request.method()) ? 0 : -1);
  }

  /**
   * Returns whether servers expect requests with the given method to contain a Content-Length, even
   * if the body is empty.
   */
  private static boolean hasBodyByNature(String method) {
    return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
  }

  /** Returns the given URI with its non-ASCII characters percent-encoded. */
  private static URI ascii(URI uri) {
    String encoded = uri.toASCIIString();
    return encoded.length() == uri.toString().length() ? uri : URI.create(encoded);
  }

  static void requireOneLine(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\r' || text.charAt(i) == '\n') {
        throw new IllegalArgumentException(
            "the " + OneLine.of(what, 100) + " contains a line break; remove it");
      }
    }
  }

  StandardHttpRequest request() {
    return request;
  }

  Origin origin() {
    return origin;
  }

  /** Returns the time-out for the start of the response, or zero if there is none. */
  Duration timeout() {
    Duration timeout = request.getTimeout();
    return timeout == null || timeout.isNegative() ? Duration.ZERO : timeout;
  }

  /**
   * Returns the time-out for each read of the response body, or zero if there is none. Streamed
   * responses, such as those of watches, have no time-out.
   */
  Duration bodyTimeout() {
    return request.isForStreaming() ? Duration.ZERO : timeout();
  }

  /**
   * Returns whether the client may send the request again if the server closes the connection
   * without responding. Only GET and HEAD requests without a streamed body may be repeated.
   */
  boolean isRepeatable() {
    return stream == null && (request.method().equals("GET") || request.method().equals("HEAD"));
  }

  /** Returns whether the body is a stream, which can be read only once. */
  boolean hasStream() {
    return stream != null;
  }

  /** Returns whether this is a HEAD request, whose response never has a body. */
  boolean isHead() {
    return request.method().equals("HEAD");
  }

  /**
   * Writes the message to an output stream.
   *
   * @param forProxy whether the recipient is an HTTP proxy that forwards the message
   * @param proxyAuthorization the credentials for the proxy; null if it requires none
   */
  void writeTo(OutputStream out, boolean forProxy, @Nullable String proxyAuthorization)
      throws IOException {
    byte[] head = head(forProxy, proxyAuthorization).getBytes(StandardCharsets.ISO_8859_1);
    if (body != null && body.length <= SMALL) {
      byte[] all = new byte[head.length + body.length];
      System.arraycopy(head, 0, all, 0, head.length);
      System.arraycopy(body, 0, all, head.length, body.length);
      out.write(all);
    } else {
      out.write(head);
      if (body != null) {
        out.write(body);
      } else if (stream != null && length >= 0) {
        copy(stream, out);
      } else if (stream != null) {
        copyInChunks(stream, out);
      }
    }
    out.flush();
  }

  private String head(boolean forProxy, @Nullable String proxyAuthorization) {
    StringBuilder head = new StringBuilder(512);
    head.append(request.method()).append(' ');
    if (forProxy) {
      head.append(origin);
    }
    String path = uri.getRawPath();
    head.append(path == null || path.isEmpty() ? "/" : path);
    if (uri.getRawQuery() != null) {
      head.append('?').append(uri.getRawQuery());
    }
    head.append(" HTTP/1.1\r\nHost: ").append(origin.authority()).append("\r\n");
    String type = request.getContentType();
    for (Map.Entry<String, List<String>> header : request.headers().entrySet()) {
      String name = header.getKey();
      if (isOurs(name) || (type != null && name.equalsIgnoreCase("Content-Type"))) {
        continue;
      }
      for (String value : header.getValue()) {
        head.append(name).append(": ").append(value).append("\r\n");
      }
    }
    if (type != null) {
      head.append("Content-Type: ").append(type).append("\r\n");
    }
    if (proxyAuthorization != null) {
      head.append("Proxy-Authorization: ").append(proxyAuthorization).append("\r\n");
    }
    if (length >= 0) {
      head.append("Content-Length: ").append(length).append("\r\n");
    } else if (stream != null) {
      head.append("Transfer-Encoding: chunked\r\n");
    }
    return head.append("\r\n").toString();
  }

  /** Returns whether this class controls the given header and ignores the caller's values. */
  private static boolean isOurs(String name) {
    return name.equalsIgnoreCase("Host")
        || name.equalsIgnoreCase("Content-Length")
        || name.equalsIgnoreCase("Transfer-Encoding")
        || name.equalsIgnoreCase("Connection");
  }

  /**
   * Sends a stream whose length was announced in the Content-Length header. Throws an exception if
   * the stream is shorter or longer. The last bytes are sent only after the end of the stream has
   * been reached, so the server never receives a complete body that is too long.
   */
  private void copy(InputStream from, OutputStream out) throws IOException {
    byte[] buffer = new byte[PIECE + 1];
    long left = length;
    int most;
    int read;
    do {
      most = left > PIECE ? PIECE : (int) left + 1;
      read = from.readNBytes(buffer, 0, most);
      if (read > left) {
        throw new IOException("the body is longer than the " + length + " bytes announced");
      }
      out.write(buffer, 0, read);
      left -= read;
    } while (read == most);
    if (left > 0) {
      throw new IOException(
          "the body is shorter than the " + length + " bytes announced, by " + left);
    }
  }

  private static void copyInChunks(InputStream from, OutputStream out) throws IOException {
    byte[] buffer = new byte[PIECE];
    int read;
    while ((read = from.read(buffer)) >= 0) {
      if (read > 0) { // an empty chunk would end the body
        out.write((Integer.toHexString(read) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        out.write(buffer, 0, read);
        out.write('\r');
        out.write('\n');
      }
    }
    out.write("0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
  }
}
