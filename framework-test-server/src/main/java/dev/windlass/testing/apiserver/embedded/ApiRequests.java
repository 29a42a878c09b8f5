// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.windlass.testing.apiserver.embedded.access.Users;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.http.InjectedFaults;
import dev.windlass.testing.apiserver.embedded.http.Representation;
import dev.windlass.testing.apiserver.embedded.http.RequestLog;
import dev.windlass.testing.apiserver.embedded.http.RequestParser;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.objects.UserInfo;
import dev.windlass.testing.apiserver.embedded.reads.WatchSession;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.Discovery;
import dev.windlass.testing.apiserver.embedded.types.OpenApi;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes the requests from all connections, both over sockets and in memory. */
final class ApiRequests {
  private static final Logger log = LoggerFactory.getLogger(ApiRequests.class);
  private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");

  private final Store store;
  private final RequestParser parser;
  private final Discovery discovery;
  private final OpenApi openApi;
  private final ObjectRequests objects;
  private final boolean streamingLists;
  private final RequestLog requests;
  private final InjectedFaults faults;
  private final Users users;

  ApiRequests(
      Store store,
      ResourceTypes types,
      ObjectRequests objects,
      boolean streamingLists,
      RequestLog requests,
      InjectedFaults faults,
      Users users) {
    this.store = store;
    this.parser = new RequestParser(types);
    this.discovery = new Discovery(types);
    this.openApi = new OpenApi(types);
    this.objects = objects;
    this.streamingLists = streamingLists;
    this.requests = requests;
    this.faults = faults;
    this.users = users;
  }

  /**
   * Parses a request for a resource. Returns empty if the path does not belong to a resource.
   *
   * @throws StatusException if the method is not allowed
   */
  Optional<ApiRequest> parse(String method, URI uri) {
    return parser.parse(method, uri);
  }

  /**
   * Executes a request and returns the response. If the request is rejected, returns the rejection
   * as a response instead of throwing an exception.
   *
   * @param headers a function that returns the values of a request header, separated by commas, or
   *     null if the request does not have the header
   * @throws InterruptedException if the server is closed while the request waits
   */
  Reply answer(String method, URI uri, UnaryOperator<@Nullable String> headers, byte[] body)
      throws InterruptedException {
    try {
      UserInfo user = users.sender(headers);
      List<String> path = RequestParser.segments(uri);
      Optional<ObjectNode> review = users.review(method, path, user, body);
      if (review.isPresent()) {
        return new Reply.Document(HttpURLConnection.HTTP_CREATED, review.get());
      }
      Optional<ApiRequest> request = parser.parse(method, uri);
      if (request.isPresent()) {
        return answer(request.get(), user, headers, body);
      }
      return document(path);
    } catch (StatusException refusal) {
      return new Reply.Document(refusal.code(), refusal.status());
    } catch (RuntimeException e) {
      log.error("{} {} failed", method, uri, e);
      StatusException failure = StatusException.of(500, "InternalError", String.valueOf(e));
      return new Reply.Document(failure.code(), failure.status());
    }
  }

  private Reply answer(
      ApiRequest request, UserInfo user, UnaryOperator<@Nullable String> headers, byte[] body)
      throws InterruptedException {
    if (!request.type().hasSubresource(request.subresource())) {
      throw request.type().custom()
          ? StatusException.notFound(request.type().resource(), request.name())
          : StatusException.noSuchPath();
    }
    String accept = headers.apply("Accept");
    Representation form = accept == null ? Representation.WHOLE : Representation.of(accept);
    RecordedRequest recorded = request.recorded();
    requests.add(recorded);
    faults.check(recorded);
    if (request.verb() == Verb.WATCH) {
      return new Reply.Watch(request, WatchSession.open(store, request, form, streamingLists));
    }
    String contentType = headers.apply("Content-Type");
    List<String> warnings = new ArrayList<>();
    try {
      ApiResponse answer =
          objects.answer(
              request,
              user,
              contentType == null ? "" : contentType,
              body,
              warning -> warnings.add("299 - \"" + warning.replace("\"", "\\\"") + '"'));
      return new Reply.Document(
          answer.code(), form.of(request.type(), answer.body()), List.copyOf(warnings));
    } catch (StatusException refusal) {
      return new Reply.Document(refusal.code(), refusal.status(), List.copyOf(warnings));
    }
  }

  private Reply document(List<String> path) {
    if (!path.isEmpty() && HEALTH.contains(path.get(0))) {
      return new Reply.Text(200, "ok");
    }
    Optional<? extends JsonNode> document =
        discovery.document(path).or(() -> openApi.document(path));
    return document.isPresent()
        ? new Reply.Document(200, document.get())
        : Reply.Text.PAGE_NOT_FOUND;
  }
}
