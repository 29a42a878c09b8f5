// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.windlass.object.MalformedObjectException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Cuts a watch into its events: one JSON object per line, {@code {"type":...,"object":{...}}}.
 *
 * <p>A newline byte never stands inside of JSON's strings, so lines can be cut before anything is
 * parsed. Of the envelope only the front is read: the object reaches from there to the brace that
 * closes the line, and whoever decodes it finds out if that is not so.
 */
final class WatchParser implements FrameParser {

  /** How API servers begin a line; other ways to say the same are parsed. */
  private static final List<Prefix> PREFIXES =
      List.of(
          prefix("ADDED", FeedEvent.Added::new),
          prefix("MODIFIED", FeedEvent.Modified::new),
          prefix("DELETED", FeedEvent.Deleted::new));

  @SuppressWarnings("ArrayRecordComponent") // a constant, never compared
  private record Prefix(byte[] bytes, Function<FeedEvent.Json, FeedEvent> event) {
    boolean fits(byte[] line, int from, int to) {
      int object = from + bytes.length;
      return object < to
          && line[object] == '{'
          && Arrays.equals(line, from, object, bytes, 0, bytes.length);
    }
  }

  private static Prefix prefix(String type, Function<FeedEvent.Json, FeedEvent> event) {
    String begin = "{\"type\":\"" + type + "\",\"object\":";
    return new Prefix(begin.getBytes(StandardCharsets.US_ASCII), event);
  }

  private final Frame line = new Frame();

  @Override
  public void accept(ByteBuffer chunk, Consumer<FeedEvent> events) {
    byte[] bytes = Frame.bytesOf(chunk);
    int start = Frame.startOf(chunk);
    int end = start + chunk.remaining();
    for (int at = start; at < end; at++) {
      if (bytes[at] == '\n') {
        if (line.isEmpty()) {
          accept(bytes, start, at, events); // most lines come whole, and need not be copied
        } else {
          line.append(bytes, start, at - start);
          byte[] whole = line.take();
          accept(whole, 0, whole.length, events);
        }
        start = at + 1;
      }
    }
    line.append(bytes, start, end - start);
  }

  @Override
  public FeedEvent end() {
    // Half a line is what a broken connection leaves behind. The resume will bring it whole.
    return new FeedEvent.Ended();
  }

  private static void accept(byte[] bytes, int from, int to, Consumer<FeedEvent> events) {
    if (isBlank(bytes, from, to)) {
      return;
    }
    for (Prefix prefix : PREFIXES) {
      if (prefix.fits(bytes, from, to)) {
        int object = from + prefix.bytes().length;
        int length = lastBrace(bytes, from, to) - object;
        events.accept(prefix.event().apply(new FeedEvent.Json(bytes, object, length)));
        return;
      }
    }
    events.accept(parseSlowly(Arrays.copyOfRange(bytes, from, to)));
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (bytes[at] != ' ' && bytes[at] != '\r' && bytes[at] != '\t') {
        return false;
      }
    }
    return true;
  }

  private static FeedEvent parseSlowly(byte[] line) {
    try (JsonParser parser = ListParser.JSON.createParser(line)) {
      parser.nextToken();
      String type = "";
      FeedEvent.Json object = null;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String field = parser.currentName();
        JsonToken value = parser.nextToken();
        if (field.equals("type")) {
          type = parser.getValueAsString("");
        } else if (field.equals("object") && value == JsonToken.START_OBJECT) {
          int from = (int) parser.currentTokenLocation().getByteOffset();
          if (!type.isEmpty()) {
            // The usual order: nothing follows the object but the brace of the envelope.
            return event(
                type, new FeedEvent.Json(line, from, lastBrace(line, from, line.length) - from));
          }
          parser.skipChildren();
          int to = (int) parser.currentLocation().getByteOffset();
          object = new FeedEvent.Json(line, from, to - from);
        } else {
          parser.skipChildren();
        }
      }
      if (object == null) {
        throw new MalformedObjectException("a watch event without an object");
      }
      return event(type, object);
    } catch (IOException e) {
      throw new MalformedObjectException("a watch event that is no JSON");
    }
  }

  private static int lastBrace(byte[] line, int from, int to) {
    int at = to - 1;
    while (at > from && line[at] != '}') {
      at--;
    }
    return at;
  }

  private static FeedEvent bookmark(StatusBody body) {
    return new FeedEvent.Bookmark(body.resourceVersion(), body.initialEventsEnd());
  }

  private static FeedEvent event(String type, FeedEvent.Json object) throws IOException {
    return switch (type) {
      case "ADDED" -> new FeedEvent.Added(object);
      case "MODIFIED" -> new FeedEvent.Modified(object);
      case "DELETED" -> new FeedEvent.Deleted(object);
      case "BOOKMARK" -> bookmark(StatusBody.parse(object));
      case "ERROR" -> new FeedEvent.Failed(StatusBody.parse(object).failure());
      default -> throw new MalformedObjectException("a watch event of an unknown type");
    };
  }
}
