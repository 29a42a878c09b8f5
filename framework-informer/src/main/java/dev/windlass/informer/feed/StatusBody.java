// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;

/**
 * The few fields that are read of a {@code Status}, and of the object in a bookmark.
 *
 * @param code HTTP status code; 500 if there is none
 * @param message for people
 * @param resourceVersion of the object's metadata; empty if there is none
 * @param initialEventsEnd whether the object is marked as the end of a streaming list
 * @param versionTooLarge whether the server has not got to the requested version
 * @param retryAfterSeconds how long to wait; 0 if nothing is said
 */
record StatusBody(
    int code,
    String message,
    String resourceVersion,
    boolean initialEventsEnd,
    boolean versionTooLarge,
    long retryAfterSeconds) {

  private static final ObjectMapper JSON = new ObjectMapper();

  static StatusBody parse(FeedEvent.Json json) throws IOException {
    JsonNode root = JSON.readTree(json.buffer(), json.offset(), json.length());
    JsonNode metadata = root.path("metadata");
    JsonNode details = root.path("details");
    boolean tooLarge = false;
    for (JsonNode cause : details.path("causes")) {
      tooLarge |= cause.path("reason").asText().equals("ResourceVersionTooLarge");
    }
    return new StatusBody(
        root.path("code").canConvertToInt() ? root.path("code").intValue() : 500,
        root.path("message").asText(""),
        metadata.path("resourceVersion").asText(""),
        metadata.path("annotations").path("k8s.io/initial-events-end").asText("").equals("true"),
        tooLarge,
        details.path("retryAfterSeconds").asLong(0));
  }

  /** What the status stands for. */
  FeedFailure failure() {
    return failure(code, Duration.ofSeconds(Math.max(0, retryAfterSeconds)));
  }

  /** The same, when the code and the wait stand in the header of the response, too. */
  FeedFailure failure(int httpCode, Duration retryAfter) {
    FeedFailure failure = FeedFailure.ofStatus(httpCode, message, retryAfter);
    return versionTooLarge
        ? new FeedFailure(
            FeedFailure.Reason.VERSION_TOO_LARGE, failure.message(), failure.retryAfter())
        : failure;
  }
}
