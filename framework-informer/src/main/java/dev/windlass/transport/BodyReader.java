// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import dev.windlass.logging.OneLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads the body of a response piece by piece. */
abstract class BodyReader {

  /** Returns a reader for the body that follows the given header. */
  static BodyReader of(ResponseHead head, boolean headRequest, Wire wire) throws IOException {
    if (headRequest || head.code() == 204 || head.code() == 304) {
      return new Sized(wire, 0);
    }
    String coding = head.single("Transfer-Encoding");
    String length = head.single("Content-Length");
    if (coding != null) {
      if (length != null) {
        throw new IOException("the response has both a Transfer-Encoding and a Content-Length");
      }
      if (!coding.toLowerCase(Locale.ROOT).equals("chunked")) {
        throw new IOException(
            "the transfer encoding '" + OneLine.of(coding, 40) + "' is not supported");
      }
      return new Chunked(wire);
    }
    return length == null ? new UntilClosed(wire) : new Sized(wire, length(length, 10));
  }

  private static long length(String text, int radix) throws IOException {
    try {
      long length = Long.parseLong(text, radix);
      if (Character.digit(text.charAt(0), radix) >= 0) { // neither + nor -
        return length;
      }
    } catch (NumberFormatException e) {
      // Rejected below.
    }
    throw new IOException("the length '" + OneLine.of(text, 40) + "' in the response is invalid");
  }

  /**
   * Returns whether the body is known to have ended. This method does not wait for further bytes.
   */
  abstract boolean isAtEnd();

  /** Waits for the next piece of the body and returns it. Returns null at the end of the body. */
  abstract @Nullable ByteBuffer next() throws IOException;

  /** Returns whether the connection can be used for another request after the end of the body. */
  boolean leavesOpen() {
    return true;
  }

  private static final class Sized extends BodyReader {
    private final Wire wire;
    private long left;

    Sized(Wire wire, long length) {
      this.wire = wire;
      this.left = length;
    }

    @Override
    boolean isAtEnd() {
      return left == 0;
    }

    @Override
    @Nullable ByteBuffer next() throws IOException {
      if (left == 0) {
        return null;
      }
      ByteBuffer piece = wire.piece(left);
      left -= piece.remaining();
      return piece;
    }
  }

  private static final class Chunked extends BodyReader {
    private final Wire wire;
    private long left;
    private boolean started;

    Chunked(Wire wire) {
      this.wire = wire;
    }

    @Override
    boolean isAtEnd() {
      return false;
    }

    @Override
    @Nullable ByteBuffer next() throws IOException {
      if (left == 0) {
        left = nextChunk();
        if (left == 0) {
          skipTrailers();
          return null;
        }
      }
      ByteBuffer piece = wire.piece(left);
      left -= piece.remaining();
      return piece;
    }

    private long nextChunk() throws IOException {
      if (started && !(wire.next() == '\r' && wire.next() == '\n')) {
        throw new IOException("a chunk of the response differs from its announced size");
      }
      started = true;
      wire.startHead();
      String line = wire.line();
      int extension = line.indexOf(';');
      return length((extension < 0 ? line : line.substring(0, extension)).strip(), 16);
    }

    private void skipTrailers() throws IOException {
      while (!wire.line().isEmpty()) {
        // Kubernetes does not use trailers.
      }
    }
  }

  private static final class UntilClosed extends BodyReader {
    private final Wire wire;

    UntilClosed(Wire wire) {
      this.wire = wire;
    }

    @Override
    boolean isAtEnd() {
      return false;
    }

    @Override
    @Nullable ByteBuffer next() throws IOException {
      return wire.hasMore() ? wire.piece(Long.MAX_VALUE) : null;
    }

    @Override
    boolean leavesOpen() {
      return false;
    }
  }
}
