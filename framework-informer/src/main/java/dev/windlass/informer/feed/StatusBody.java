// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.Duration;

/**
 * The few fields that are read of a {@code Status}, and of the object in a bookmark.
 *
 * @param code HTTP status code; 500 if there is none
 * @param message for people
 * @param resourceVersion of the object's metadata; empty if there is none
 * @param retryAfterSeconds how long to wait; 0 if nothing is said
 */
record StatusBody(int code, String message, String resourceVersion, long retryAfterSeconds) {

  private static final JsonFactory JSON = new JsonFactory();

  static StatusBody parse(FeedEvent.Json json) throws IOException {
    int code = 500;
    String message = "";
    String resourceVersion = "";
    long retryAfter = 0;
    try (JsonParser parser = JSON.createParser(json.buffer(), json.offset(), json.length())) {
      parser.nextToken();
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          break;
        } else if (token == JsonToken.END_OBJECT) {
          depth--;
        } else if (token == JsonToken.FIELD_NAME) {
          String field = parser.currentName();
          JsonToken value = parser.nextToken();
          boolean nested = field.equals("metadata") || field.equals("details");
          if (value == JsonToken.START_OBJECT && depth == 1 && nested) {
            depth++;
          } else if (value.isScalarValue()) {
            switch (field) {
              case "code" -> code = parser.getValueAsInt(500);
              case "message" -> message = parser.getValueAsString("");
              case "resourceVersion" -> resourceVersion = parser.getValueAsString("");
              case "retryAfterSeconds" -> retryAfter = parser.getValueAsLong();
              default -> {}
            }
          } else {
            parser.skipChildren();
          }
        }
      }
    }
    return new StatusBody(code, message, resourceVersion, retryAfter);
  }

  FeedFailure failure() {
    return FeedFailure.ofStatus(code, message, Duration.ofSeconds(Math.max(0, retryAfterSeconds)));
  }
}
