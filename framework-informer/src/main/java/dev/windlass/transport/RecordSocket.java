// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/**
 * The TCP socket of a TLS connection. It can receive several TLS records with one system call; with
 * an ordinary socket, the JDK makes two system calls for each record. This matters because an API
 * server sends each watch event in a separate record. Only one thread at a time may read from the
 * socket.
 */
final class RecordSocket extends Socket {

  /** The size of the header (type, version and length) that precedes each record, in bytes. */
  private static final int RECORD_HEADER = 5;

  private @Nullable Records records;

  /**
   * Returns whether the next record has been received completely. If so, reading it does not block.
   */
  boolean hasRecord() {
    return records != null && records.hasRecord();
  }

  @Override
  public InputStream getInputStream() throws IOException {
    if (records == null) {
      records = new Records(super.getInputStream());
    }
    return records;
  }

  private static final class Records extends InputStream {
    private final InputStream in;

    /** The buffer for received bytes. It is large enough for the largest encrypted record. */
    private final byte[] buffer = new byte[17 * 1024];

    private int position;
    private int limit;

    Records(InputStream in) {
      this.in = in;
    }

    boolean hasRecord() {
      if (limit - position < RECORD_HEADER) {
        return false;
      }
      int length = ((buffer[position + 3] & 0xff) << 8) | (buffer[position + 4] & 0xff);
      return limit - position >= RECORD_HEADER + length;
    }

    @Override
    public int read() throws IOException {
      return fill() ? buffer[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (!fill()) {
        return -1;
      }
      int read = Math.min(length, limit - position);
      System.arraycopy(buffer, position, target, offset, read);
      position += read;
      return read;
    }

    /**
     * Reads from the socket if the buffer is empty. Returns false if the server has closed the
     * connection.
     */
    private boolean fill() throws IOException {
      if (position == limit) {
        int read = in.read(buffer, 0, buffer.length);
        position = 0;
        limit = Math.max(0, read);
      }
      return limit > 0;
    }

    @Override
    public int available() throws IOException {
      return limit - position + in.available();
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
