// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the bytes of a connection. This class is not thread-safe: only the connection's
 * thread uses an instance.
 */
final class Wire {

  /** The maximum size of a response header: 64 KiB. API servers send less than 1 KiB. */
  private static final int MAX_HEAD = 64 * 1024;

  /**
   * The maximum time to wait for a response that the server may have sent before it closed the
   * connection.
   */
  private static final Duration AFTER_REJECTION = Duration.ofMillis(100);

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** The TCP socket of the TLS connection; null for a connection without TLS. */
  private final @Nullable RecordSocket records;

  /** The buffer for received bytes. It is as large as the largest content of a TLS record. */
  private final byte[] buffer = new byte[16 * 1024];

  private int position;
  private int limit;

  /** The number of bytes that the current header may still contain. */
  private int headLeft;

  /** Creates an instance for a connection without TLS. */
  Wire(Socket socket) throws IOException {
    this(socket, null);
  }

  /**
   * Creates an instance for a connection.
   *
   * @param records the TCP socket of the TLS connection; null for a connection without TLS
   */
  Wire(Socket socket, @Nullable RecordSocket records) throws IOException {
    this.socket = socket;
    this.records = records;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  OutputStream out() {
    return out;
  }

  /** Sets the time-out for each read. Zero disables the time-out. */
  void patience(Duration longest) throws IOException {
    long millis = longest.isZero() ? 0 : Math.max(1, longest.toMillis());
    socket.setSoTimeout((int) Math.min(millis, Integer.MAX_VALUE));
  }

  /**
   * Waits for up to {@link #AFTER_REJECTION} and returns whether a response has arrived. Call this
   * method only after writing the request has failed.
   */
  boolean hasAnswered() {
    try {
      patience(AFTER_REJECTION);
      boolean answered = hasMore();
      patience(Duration.ZERO);
      return answered;
    } catch (IOException e) {
      return false;
    }
  }

  void awaitResponse() throws IOException {
    if (!hasMore()) {
      throw new EOFException("the server closed the connection without an answer");
    }
  }

  /** Returns whether the server has sent bytes that do not belong to any response. */
  boolean hasExcess() {
    try {
      return position < limit || in.available() > 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Waits for up to 1 ms and returns whether the server has closed this idle connection. */
  boolean isClosed() {
    try {
      socket.setSoTimeout(1);
      return in.read(buffer, 0, 1) != 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  void startHead() {
    headLeft = MAX_HEAD;
  }

  /** Reads one line of the header. The result does not include the line break. */
  String line() throws IOException {
    StringBuilder longLine = null;
    while (true) {
      int end = position;
      while (end < limit && buffer[end] != '\n') {
        end++;
      }
      headLeft -= end - position;
      if (headLeft < 0) {
        throw new IOException("the header of the response exceeds " + MAX_HEAD + " bytes");
      }
      String part = new String(buffer, position, end - position, StandardCharsets.ISO_8859_1);
      position = end;
      if (end < limit) {
        position++;
        String line = longLine == null ? part : longLine.append(part).toString();
        return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
      }
      if (longLine == null) {
        longLine = new StringBuilder();
      }
      longLine.append(part);
      fill();
    }
  }

  byte next() throws IOException {
    if (position == limit) {
      fill();
    }
    return buffer[position++];
  }

  /** Reads at least one byte and at most the given number of bytes. */
  ByteBuffer piece(long most) throws IOException {
    if (position == limit) {
      fill();
    }
    int length = (int) Math.min(most, limit - position);
    byte[] piece = Arrays.copyOfRange(buffer, position, position + length);
    position += length;
    return ByteBuffer.wrap(piece);
  }

  /** Waits for the next byte. Returns false if the server has closed the connection instead. */
  boolean hasMore() throws IOException {
    return position < limit || read() >= 0;
  }

  private void fill() throws IOException {
    if (read() < 0) {
      throw new EOFException("the server closed the connection before the end of the response");
    }
  }

  /**
   * Waits for bytes and reads them into the empty buffer. Also reads further bytes that have
   * already arrived, as far as they fit.
   */
  private int read() throws IOException {
    int read = in.read(buffer, 0, buffer.length);
    position = 0;
    limit = Math.max(0, read);
    // A read from TLS returns the content of one record, even if several have arrived.
    while (read > 0 && limit < buffer.length && hasArrived()) {
      read = in.read(buffer, limit, buffer.length - limit);
      limit += Math.max(0, read);
    }
    return limit > 0 ? limit : read;
  }

  private boolean hasArrived() throws IOException {
    return records != null && (in.available() > 0 || records.hasRecord());
  }
}
