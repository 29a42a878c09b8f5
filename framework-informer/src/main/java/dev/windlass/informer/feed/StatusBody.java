// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.ObjectTree;
import java.time.Duration;
import java.util.Optional;

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

  /** Reads a body, whatever fields it has; what is no object is malformed. */
  static StatusBody parse(FeedEvent.Json json) {
    ObjectTree tree = ObjectTree.parse(json.buffer(), json.offset(), json.length());
    boolean tooLarge = false;
    for (int i = 0; i < tree.size("details", "causes"); i++) {
      String reason = tree.text("details", "causes", Integer.toString(i), "reason").orElse("");
      tooLarge |= reason.equals("ResourceVersionTooLarge");
    }
    String end = tree.text("metadata", "annotations", "k8s.io/initial-events-end").orElse("false");
    return new StatusBody(
        (int) number(tree.text("code"), 500),
        tree.text("message").orElse(""),
        tree.text("metadata", "resourceVersion").orElse(""),
        end.equals("true"),
        tooLarge,
        number(tree.text("details", "retryAfterSeconds"), 0));
  }

  private static long number(Optional<String> text, long otherwise) {
    return text.filter(digits -> digits.matches("-?[0-9]{1,9}"))
        .map(Long::parseLong)
        .orElse(otherwise);
  }

  /** What the status stands for. */
  FeedFailure failure() {
    return failure(code, Duration.ZERO);
  }

  /** The same, when the code and the wait stand in the header of the response, too. */
  FeedFailure failure(int httpCode, Duration retryAfter) {
    Duration inBody = Duration.ofSeconds(Math.max(0, retryAfterSeconds));
    Duration longer = inBody.compareTo(retryAfter) > 0 ? inBody : retryAfter;
    FeedFailure failure = FeedFailure.ofStatus(httpCode, message, longer);
    return versionTooLarge
        ? new FeedFailure(
            FeedFailure.Reason.VERSION_TOO_LARGE, failure.message(), failure.retryAfter())
        : failure;
  }
}
