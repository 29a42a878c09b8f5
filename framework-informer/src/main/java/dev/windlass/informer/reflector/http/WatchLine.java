// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.object.MalformedObjectException;
import java.io.IOException;

/**
 * Parses a line of a watch as JSON. {@link WatchParser} recognises most lines by their first bytes,
 * and uses this class for all other lines: bookmarks, errors, and lines with an unusual beginning.
 */
final class WatchLine {

  private WatchLine() {}

  /**
   * Returns the event in a line.
   *
   * @throws MalformedObjectException if the line does not contain an event
   */
  static FeedEvent parse(byte[] line) {
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
            // This is the usual order: only the closing brace of the envelope follows the object.
            return event(
                type,
                new FeedEvent.Json(
                    line, from, WatchParser.lastBrace(line, from, line.length) - from));
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
      throw new MalformedObjectException("a watch event that is not valid JSON");
    }
  }

  private static FeedEvent bookmark(StatusBody body) {
    return new FeedEvent.Bookmark(body.resourceVersion(), body.initialEventsEnd());
  }

  private static FeedEvent event(String type, FeedEvent.Json object) throws IOException {
    return switch (type) {
      case "ADDED" -> FeedEvent.added(object);
      case "MODIFIED" -> FeedEvent.modified(object);
      case "DELETED" -> FeedEvent.deleted(object);
      case "BOOKMARK" -> bookmark(StatusBody.parse(object));
      case "ERROR" -> new FeedEvent.Failed(StatusBody.parse(object).failure());
      default -> throw new MalformedObjectException("a watch event of an unknown type");
    };
  }
}
