// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.informer.reflector.FeedEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Divides the response to a watch request into events. Each line contains one JSON object: {@code
 * {"type":...,"object":{...}}}.
 *
 * <p>JSON strings never contain a newline byte, so the parser can find the end of a line without
 * parsing the JSON. It reads only the beginning of the envelope, up to the object. It assumes that
 * the object ends immediately before the last brace of the line. If this assumption is wrong, the
 * decoder detects the error.
 */
final class WatchParser implements FrameParser {

  /**
   * The prefixes with which API servers usually begin a line. {@link WatchLine} parses all other
   * lines.
   */
  private static final List<Prefix> PREFIXES =
      List.of(
          prefix(FeedEvent.Type.ADDED),
          prefix(FeedEvent.Type.MODIFIED),
          prefix(FeedEvent.Type.DELETED));

  @SuppressWarnings("ArrayRecordComponent") // a constant that is never compared
  private record Prefix(byte[] bytes, FeedEvent.Type type) {
    boolean fits(byte[] line, int from, int to) {
      int object = from + bytes.length;
      return object < to
          && line[object] == '{'
          && Arrays.equals(line, from, object, bytes, 0, bytes.length);
    }
  }

  private static Prefix prefix(FeedEvent.Type type) {
    String begin = "{\"type\":\"" + type + "\",\"object\":";
    return new Prefix(begin.getBytes(StandardCharsets.US_ASCII), type);
  }

  private final FrameBuffer line = new FrameBuffer();

  @Override
  public void accept(ByteBuffer chunk, Consumer<FeedEvent> events) {
    byte[] bytes = FrameBuffer.bytesOf(chunk);
    int start = FrameBuffer.startOf(chunk);
    int end = start + chunk.remaining();
    for (int at = newline(bytes, start, end); at < end; at = newline(bytes, start, end)) {
      if (line.isEmpty()) {
        accept(bytes, start, at, events); // complete lines need not be copied
      } else {
        line.append(bytes, start, at - start);
        byte[] whole = line.take();
        accept(whole, 0, whole.length, events);
      }
      start = at + 1;
    }
    if (start < end) {
      line.append(bytes, start, end - start);
    }
  }

  /** Returns the position of the next newline, or {@code end} if there is none. */
  private static int newline(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && bytes[at] != '\n') {
      at++;
    }
    return at;
  }

  @Override
  public FeedEvent end() {
    // A broken connection may leave half a line. The resumed watch delivers the complete line.
    return new FeedEvent.Ended();
  }

  private static void accept(byte[] bytes, int from, int to, Consumer<FeedEvent> events) {
    for (Prefix prefix : PREFIXES) {
      if (prefix.fits(bytes, from, to)) {
        int object = from + prefix.bytes().length;
        int length = lastBrace(bytes, from, to) - object;
        FeedEvent.Json json = new FeedEvent.Json(bytes, object, length);
        events.accept(new FeedEvent.Change(prefix.type(), json));
        return;
      }
    }
    if (!isBlank(bytes, from, to)) {
      events.accept(WatchLine.parse(Arrays.copyOfRange(bytes, from, to)));
    }
  }

  /**
   * Returns the position of the last closing brace in a line, or the start of the line if there is
   * none. The last closing brace ends the envelope.
   */
  static int lastBrace(byte[] line, int from, int to) {
    int at = to - 1;
    while (at > from && line[at] != '}') {
      at--;
    }
    return at;
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] != ' ' && bytes[at] != '\r' && bytes[at] != '\t') {
        return false;
      }
    }
    return true;
  }
}
