// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.object.MalformedObjectException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses a gzip response as it arrives, and passes the decompressed bytes to a parser.
 *
 * <p>The JDK's {@link java.util.zip.GZIPInputStream} reads from a blocking stream, so this class
 * parses the gzip header itself. It does not verify the checksum: TLS protects the bytes, and the
 * parser rejects a truncated list in any case.
 */
final class Gunzip implements FrameParser {

  /** The maximum decompressed size for which the compression ratio is not checked: 256 MiB. */
  private static final long HARMLESS = 256L << 20;

  /** The maximum compression ratio of larger responses: 200. Lists have a ratio of about 30. */
  private static final int MAX_RATIO = 200;

  private static final int HEADER = 10;
  private static final byte FIRST_OF_HEADER = 0x1f;

  /** The size in bytes of a gzip member's trailer, which contains a checksum and the length. */
  private static final int TRAILER = 8;

  private static final int FLAG_CRC = 2;
  private static final int FLAG_EXTRA = 4;
  private static final int FLAG_NAME = 8;
  private static final int FLAG_COMMENT = 16;

  private final FrameParser parser;
  private final Inflater inflater = new Inflater(true);
  private final byte[] unpacked = new byte[32 * 1024];

  /**
   * The number of bytes read from the fixed part of the header. The flags in this part indicate
   * which optional parts follow.
   */
  private int headerRead;

  private int flags;
  private int extraRead;
  private int extraLength;
  private int trailerRead;

  /** Whether the last member has ended, so that only padding follows. */
  private boolean padding;

  /** The total compressed size of the members before the current member. */
  private long bytesRead;

  private long bytesWritten;

  Gunzip(FrameParser parser) {
    this.parser = parser;
  }

  /** Returns whether a response with this content encoding must be decompressed. */
  static boolean isNeeded(@Nullable String contentEncoding) {
    return "gzip".equalsIgnoreCase(contentEncoding);
  }

  @Override
  public void accept(ByteBuffer bytes, Consumer<FeedEvent> events) {
    while (bytes.hasRemaining() && !padding) {
      if (!inHeaderDone()) {
        readHeader(bytes.get() & 0xff);
      } else if (!inflater.finished()) {
        inflate(bytes, events);
      } else if (trailerRead < TRAILER) {
        bytes.get();
        trailerRead++;
      } else if (bytes.get(bytes.position()) == FIRST_OF_HEADER) {
        nextMember();
      } else {
        padding = true; // padding, which only tapes need, is ignored
      }
    }
  }

  /**
   * Prepares for the next member of the gzip response. The limit for the compression ratio applies
   * to all members together.
   */
  private void nextMember() {
    bytesRead += inflater.getBytesRead();
    bytesWritten += inflater.getBytesWritten();
    inflater.reset();
    headerRead = 0;
    extraRead = 0;
    extraLength = 0;
    trailerRead = 0;
  }

  private void inflate(ByteBuffer bytes, Consumer<FeedEvent> events) {
    inflater.setInput(bytes);
    try {
      while (!inflater.needsInput() && !inflater.finished()) {
        int count = inflater.inflate(unpacked);
        if (count > 0) {
          requireRatio();
          // The buffer is read-only, so that nothing retains a view of the array, which is reused.
          parser.accept(ByteBuffer.wrap(unpacked, 0, count).asReadOnlyBuffer(), events);
        } else if (inflater.needsDictionary()) {
          throw new MalformedObjectException("the gzip response needs an unknown dictionary");
        }
      }
    } catch (DataFormatException e) {
      throw new MalformedObjectException("the response is not valid gzip");
    }
  }

  /**
   * Throws an exception if the compression ratio is too high. Otherwise, a small response could
   * exhaust the memory.
   */
  private void requireRatio() {
    long size = bytesWritten + inflater.getBytesWritten();
    if (size > HARMLESS && size / MAX_RATIO > bytesRead + inflater.getBytesRead()) {
      throw new MalformedObjectException(
          "the response decompresses to more than 256 MiB and 200 times its size");
    }
  }

  private boolean inHeaderDone() {
    return headerRead == HEADER && flags == 0;
  }

  private void readHeader(int b) {
    if (headerRead < HEADER) {
      boolean valid =
          switch (headerRead) {
            case 0 -> b == FIRST_OF_HEADER;
            case 1 -> b == 0x8b;
            case 2 -> b == 8;
            default -> true;
          };
      if (!valid) {
        throw new MalformedObjectException("the response is not valid gzip");
      }
      if (headerRead == 3) {
        flags = b & (FLAG_CRC | FLAG_EXTRA | FLAG_NAME | FLAG_COMMENT);
      }
      headerRead++;
    } else if ((flags & FLAG_EXTRA) != 0) {
      readExtra(b);
    } else if ((flags & FLAG_NAME) != 0) {
      flags = b == 0 ? flags & ~FLAG_NAME : flags;
    } else if ((flags & FLAG_COMMENT) != 0) {
      flags = b == 0 ? flags & ~FLAG_COMMENT : flags;
    } else {
      extraRead++; // the checksum of the header, which has two bytes
      flags = extraRead == 2 ? 0 : flags;
    }
  }

  private void readExtra(int b) {
    if (extraRead < 2) {
      extraLength |= b << (8 * extraRead);
    }
    extraRead++;
    if (extraRead >= 2 && extraRead == 2 + extraLength) {
      flags &= ~FLAG_EXTRA;
      extraRead = 0;
    }
  }

  @Override
  public FeedEvent end() {
    boolean whole = inflater.finished(); // the trailer can be missing, because it is not verified
    close();
    return whole
        ? parser.end()
        : new FeedEvent.Failed(
            FeedFailure.of(FeedFailure.Reason.MALFORMED, "the gzip response is truncated"));
  }

  @Override
  public void close() {
    inflater.end();
    parser.close();
  }
}
