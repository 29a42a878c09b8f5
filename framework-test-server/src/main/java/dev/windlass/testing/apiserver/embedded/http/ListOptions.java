// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded.http;

import dev.windlass.testing.apiserver.embedded.objects.FieldError;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import java.util.ArrayList;
import java.util.List;

/**
 * The options of a list or watch request. This class validates them as {@code ValidateListOptions}
 * in k8s.io/apimachinery does.
 *
 * @param revision the {@code resourceVersion}, or 0 if it is absent
 * @param match the {@code resourceVersionMatch}: {@code Exact}, {@code NotOlderThan} or empty
 * @param bookmarks whether a watch accepts bookmarks
 * @param initialEvents whether a watch begins with events for the existing objects
 * @param announcesEnd whether the server sends a bookmark after the initial events
 */
public record ListOptions(
    long revision, String match, boolean bookmarks, boolean initialEvents, boolean announcesEnd) {

  private static final String MATCH = "resourceVersionMatch";
  private static final String SEND = "sendInitialEvents";
  private static final String EXACT = "Exact";
  private static final String NOT_OLDER = "NotOlderThan";

  /**
   * Reads and validates the options of a request.
   *
   * @param streamingLists whether watches can request initial events
   * @throws StatusException if an option is invalid, or if options contradict each other
   */
  public static ListOptions of(ApiRequest request, boolean streamingLists) {
    validate(request, streamingLists);
    boolean watch = request.verb() == Verb.WATCH;
    long revision = request.revision();
    boolean bookmarks = request.flag("allowWatchBookmarks");
    // Without sendInitialEvents, a watch that specifies no version begins with the current state.
    boolean initialEvents =
        watch && (request.has(SEND) ? request.flag(SEND) : request.isFromAnywhere());
    return new ListOptions(
        revision,
        request.parameter(MATCH),
        bookmarks,
        initialEvents,
        initialEvents && bookmarks && streamingLists);
  }

  /**
   * Validates the options of a request.
   *
   * @throws StatusException if an option is invalid, or if options contradict each other
   */
  public static void validate(ApiRequest request, boolean streamingLists) {
    boolean watch = request.verb() == Verb.WATCH;
    List<FieldError> errors = watch ? ofWatch(request, streamingLists) : ofList(request);
    if (!errors.isEmpty()) {
      throw StatusException.invalid("meta.k8s.io", "ListOptions", "", errors);
    }
  }

  /** Returns whether a list must return the objects exactly as they were at {@code revision}. */
  public boolean exact() {
    return match.equals(EXACT);
  }

  private static List<FieldError> ofList(ApiRequest request) {
    List<FieldError> errors = new ArrayList<>();
    String match = request.parameter(MATCH);
    if (!match.isEmpty()) {
      String version = request.parameter("resourceVersion");
      if (version.isEmpty()) {
        errors.add(forbidden(MATCH, "is forbidden unless resourceVersion is provided"));
      }
      refuseWithContinue(request, errors);
      if (!match.equals(EXACT) && !match.equals(NOT_OLDER)) {
        errors.add(FieldError.unsupported(MATCH, match, List.of(EXACT, NOT_OLDER, "")));
      }
      if (match.equals(EXACT) && version.equals("0")) {
        errors.add(forbidden(MATCH, "\"exact\" is forbidden for resourceVersion \"0\""));
      }
    }
    if (request.has(SEND)) {
      errors.add(forbidden(SEND, "is forbidden for list"));
    }
    return errors;
  }

  private static List<FieldError> ofWatch(ApiRequest request, boolean streamingLists) {
    List<FieldError> errors = new ArrayList<>();
    String match = request.parameter(MATCH);
    if (request.has(SEND)) {
      if (!match.equals(NOT_OLDER)) {
        errors.add(
            FieldError.forbidden(
                MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
      }
      if (!streamingLists) {
        errors.add(
            forbidden(SEND, "is forbidden for watch unless the WatchList feature gate is enabled"));
      }
    }
    if (!match.isEmpty()) {
      if (!request.has(SEND)) {
        errors.add(forbidden(MATCH, "is forbidden for watch unless sendInitialEvents is provided"));
      }
      if (!match.equals(NOT_OLDER)) {
        errors.add(FieldError.unsupported(MATCH, match, List.of(NOT_OLDER)));
      }
      refuseWithContinue(request, errors);
    }
    return errors;
  }

  private static void refuseWithContinue(ApiRequest request, List<FieldError> errors) {
    if (!request.parameter("continue").isEmpty()) {
      errors.add(forbidden(MATCH, "is forbidden when continue is provided"));
    }
  }

  private static FieldError forbidden(String option, String why) {
    return FieldError.forbidden(option, option + " " + why);
  }
}
