// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.json.JsonLimits;
import dev.windlass.object.MalformedObjectException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Divides a list into its items as it arrives.
 *
 * <p>The parser tracks only braces, brackets and quotes. Each element of the root's {@code items}
 * array becomes a frame. All other bytes form the <em>envelope</em>, which is the list without its
 * items. The envelope is parsed at the end of the response. The field {@code metadata} can
 * therefore precede the items, as in lists of built-in types, or follow them, as in lists of custom
 * resources.
 */
final class ListParser implements FrameParser {

  static final JsonFactory JSON = JsonLimits.factory();
  private static final byte[] ITEMS = "items".getBytes(StandardCharsets.UTF_8);

  /**
   * The number of open braces and brackets: 1 in the root, 2 in an array of the root, and 3 in an
   * item.
   */
  private int depth;

  private boolean inString;
  private boolean escaped;

  /**
   * Whether the root has a field "items" whose value is an array or {@code null}. Go writes a nil
   * slice as {@code null}. A response without this field is not a list, not even an empty one.
   */
  private boolean hasItems;

  /** Whether the next value in the root is the value of the field "items". */
  private boolean itemsNext;

  /**
   * The number of bytes of "items" that the last string at depth 1 has matched, or -1 if the string
   * does not match.
   */
  private int keyMatch;

  /** The part of the list to which the current bytes belong. */
  private enum Target {
    ENVELOPE,
    ITEM,
    BETWEEN_ITEMS
  }

  private Target target = Target.ENVELOPE;
  private final FrameBuffer envelope = new FrameBuffer();
  private final FrameBuffer item = new FrameBuffer();

  @Override
  public void accept(ByteBuffer chunk, Consumer<FeedEvent> events) {
    byte[] bytes = FrameBuffer.bytesOf(chunk);
    int start = FrameBuffer.startOf(chunk); // start of the bytes that are not in the target yet
    int end = start + chunk.remaining();
    for (int at = start; at < end; at++) {
      byte b = bytes[at];
      if (inString) {
        readString(b);
      } else if (b == '"') {
        inString = true;
        keyMatch = 0;
      } else if (b == '{' || b == '[') {
        depth++;
        if (depth == 2 && b == '[' && itemsNext) {
          hasItems = true;
          envelope.append(bytes, start, at + 1 - start);
          target = Target.BETWEEN_ITEMS;
        } else if (depth == 3 && target == Target.BETWEEN_ITEMS) {
          start = at;
          target = Target.ITEM;
        }
      } else if (b == '}' || b == ']') {
        depth--;
        if (depth == 2 && target == Target.ITEM) {
          events.accept(FeedEvent.listed(json(bytes, start, at + 1)));
          target = Target.BETWEEN_ITEMS;
        } else if (depth == 1 && target == Target.BETWEEN_ITEMS) {
          start = at;
          target = Target.ENVELOPE;
        }
      } else if (depth == 1) {
        readRoot(b);
      }
    }
    if (target != Target.BETWEEN_ITEMS) {
      (target == Target.ITEM ? item : envelope).append(bytes, start, end - start);
    }
  }

  /** Processes a byte that belongs directly to the root, outside strings and nested values. */
  private void readRoot(byte b) {
    switch (b) {
      case ':' -> itemsNext = keyMatch == ITEMS.length;
      case ',' -> itemsNext = false;
      case 'n' -> hasItems |= itemsNext;
      default -> {}
    }
  }

  /** Returns the JSON of an item. Most items arrive in a single chunk and need not be copied. */
  private FeedEvent.Json json(byte[] bytes, int from, int to) {
    if (item.isEmpty()) {
      return new FeedEvent.Json(bytes, from, to - from);
    }
    item.append(bytes, from, to - from);
    return FeedEvent.Json.of(item.take());
  }

  private void readString(byte b) {
    if (escaped) {
      escaped = false;
      keyMatch = -1;
    } else if (b == '\\') {
      escaped = true;
    } else if (b == '"') {
      inString = false;
    } else if (depth == 1) {
      keyMatch =
          keyMatch >= 0 && keyMatch < ITEMS.length && b == ITEMS[keyMatch] ? keyMatch + 1 : -1;
    }
  }

  @Override
  public FeedEvent end() {
    if (depth != 0 || envelope.isEmpty()) {
      return malformed("the list is truncated");
    }
    String resourceVersion = "";
    String continueToken = "";
    byte[] json = envelope.take();
    try (JsonParser parser = JSON.createParser(json)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean metadata = parser.currentName().equals("metadata");
        if (parser.nextToken() != JsonToken.START_OBJECT || !metadata) {
          parser.skipChildren();
          continue;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String field = parser.currentName();
          parser.nextToken();
          switch (field) {
            case "resourceVersion" -> resourceVersion = parser.getValueAsString("");
            case "continue" -> continueToken = parser.getValueAsString("");
            default -> parser.skipChildren();
          }
        }
      }
    } catch (IOException e) {
      throw new MalformedObjectException("the list is not valid JSON");
    }
    if (!hasItems || resourceVersion.isEmpty()) {
      return malformed("the response is not a list"); // an empty list would delete all objects
    }
    return new FeedEvent.ListEnd(resourceVersion, continueToken);
  }

  private static FeedEvent malformed(String message) {
    return new FeedEvent.Failed(FeedFailure.of(FeedFailure.Reason.MALFORMED, message));
  }
}
