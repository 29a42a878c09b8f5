// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.failure.ErrorResponse;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.object.ObjectTree;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The fields that are read from a {@code Status} and from the object in a bookmark.
 *
 * @param refusal the server's error response; its code is 500 if the body does not contain a code
 * @param resourceVersion the version in the object's metadata; empty if there is none
 * @param initialEventsEnd whether the object is marked as the end of a streaming list
 * @param retryAfterSeconds the number of seconds to wait; 0 if not specified
 */
record StatusBody(
    ErrorResponse refusal,
    String resourceVersion,
    boolean initialEventsEnd,
    long retryAfterSeconds) {

  /** The maximum number of causes that are read. Further causes do not provide new information. */
  private static final int MAX_CAUSES = 20;

  /**
   * Parses a body. All fields are optional.
   *
   * @throws dev.windlass.object.MalformedObjectException if the body is not a JSON object
   */
  static StatusBody parse(FeedEvent.Json json) {
    ObjectTree tree = ObjectTree.parse(json.buffer(), json.offset(), json.length());
    List<String> causes = new ArrayList<>();
    for (int i = 0; i < Math.min(MAX_CAUSES, tree.size("details", "causes")); i++) {
      causes.add(tree.text("details", "causes", Integer.toString(i), "reason").orElse(""));
    }
    String end = tree.text("metadata", "annotations", "k8s.io/initial-events-end").orElse("false");
    return new StatusBody(
        new ErrorResponse(
            (int) number(tree.text("code"), 500),
            tree.text("reason").orElse(""),
            tree.text("message").orElse(""),
            causes,
            tree.text("details", "kind").orElse(""),
            tree.text("details", "name").orElse("")),
        tree.text("metadata", "resourceVersion").orElse(""),
        end.equals("true"),
        number(tree.text("details", "retryAfterSeconds"), 0));
  }

  private static long number(Optional<String> text, long otherwise) {
    return text.filter(digits -> digits.matches("-?[0-9]{1,9}"))
        .map(Long::parseLong)
        .orElse(otherwise);
  }

  FeedFailure failure() {
    return failure(refusal.code(), Duration.ZERO);
  }

  /**
   * Returns the failure that the status represents, with the given HTTP status code.
   *
   * @param retryAfter the delay that the response headers request. The failure contains this delay
   *     or the delay in the status, whichever is longer
   */
  FeedFailure failure(int httpCode, Duration retryAfter) {
    Duration inBody = Duration.ofSeconds(Math.max(0, retryAfterSeconds));
    Duration longer = inBody.compareTo(retryAfter) > 0 ? inBody : retryAfter;
    ErrorResponse refused =
        new ErrorResponse(
            httpCode,
            refusal.reason(),
            refusal.message(),
            refusal.causes(),
            refusal.kind(),
            refusal.name());
    return FeedFailure.ofRefusal(refused, longer);
  }
}
