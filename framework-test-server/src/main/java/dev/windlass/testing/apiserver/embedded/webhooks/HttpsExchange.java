// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.webhooks;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * Sends one POST request over HTTPS on a new connection. This class uses a plain socket instead of
 * the JDK's HTTP client. That client requires its own threads, and it cannot connect to an address
 * other than that of the host in the URL.
 */
final class HttpsExchange {
  private static final int HEX = 16;

  private final SSLContext context;
  private final InetSocketAddress address;
  private final int timeout;

  /**
   * Creates an exchange.
   *
   * @param timeout the time-out for connecting and for each read
   */
  HttpsExchange(SSLContext context, InetSocketAddress address, Duration timeout) {
    this.context = context;
    this.address = address;
    this.timeout = Math.toIntExact(timeout.toMillis());
  }

  /**
   * A response from the server.
   *
   * @param code the HTTP status code
   * @param plain whether the content type declares the body as plain text
   * @param text the body
   */
  record Response(int code, boolean plain, String text) {}

  /**
   * Sends a JSON document and returns the response.
   *
   * @param host the host name that the server's certificate must contain
   * @param authority the value of the Host header
   * @param path the path and the query of the URL
   */
  Response post(String host, String authority, String path, byte[] body) throws IOException {
    try (Socket tcp = new Socket()) {
      tcp.setTcpNoDelay(true);
      tcp.setSoTimeout(timeout);
      tcp.connect(address, timeout);
      try (SSLSocket tls =
          (SSLSocket) context.getSocketFactory().createSocket(tcp, host, address.getPort(), true)) {
        SSLParameters parameters = tls.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        send(tls.getOutputStream(), authority, path, body);
        return receive(new BufferedInputStream(tls.getInputStream()));
      }
    }
  }

  private static void send(OutputStream out, String authority, String path, byte[] body)
      throws IOException {
    String head =
        "POST %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\nContent-Length: %d\r\nUser-Agent: kube-apiserver-admission\r\nConnection: close\r\n\r\n"
            .formatted(path, authority, body.length);
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
    out.flush();
  }

  private static Response receive(InputStream in) throws IOException {
    String[] status = line(in).split(" ", 3);
    if (status.length < 2 || !status[0].startsWith("HTTP/")) {
      throw new IOException("malformed HTTP response \"" + String.join(" ", status) + '"');
    }
    boolean chunked = false;
    boolean plain = true;
    int length = -1;
    for (String header = line(in); !header.isEmpty(); header = line(in)) {
      String[] parts = header.split(":", 2);
      String value = parts.length == 2 ? parts[1].strip() : "";
      if (parts[0].equalsIgnoreCase("Content-Length")) {
        length = Integer.parseInt(value);
      } else if (parts[0].equalsIgnoreCase("Transfer-Encoding")) {
        chunked = value.equalsIgnoreCase("chunked");
      } else if (parts[0].equalsIgnoreCase("Content-Type")) {
        plain = value.startsWith("text/");
      }
    }
    byte[] body = chunked ? chunks(in) : length < 0 ? in.readAllBytes() : in.readNBytes(length);
    if (!chunked && length > body.length) {
      throw new EOFException("unexpected EOF");
    }
    return new Response(
        Integer.parseInt(status[1]), plain, new String(body, StandardCharsets.UTF_8));
  }

  private static byte[] chunks(InputStream in) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      int size = Integer.parseInt(line(in).split(";", 2)[0].strip(), HEX);
      if (size == 0) {
        return body.toByteArray();
      }
      body.write(in.readNBytes(size));
      line(in);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("EOF");
      }
      if (next != '\r') {
        line.append((char) next);
      }
    }
    return line.toString();
  }
}
