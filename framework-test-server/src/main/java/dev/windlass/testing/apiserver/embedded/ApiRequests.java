// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.http.InjectedFaults;
import dev.windlass.testing.apiserver.embedded.http.Representation;
import dev.windlass.testing.apiserver.embedded.http.RequestLog;
import dev.windlass.testing.apiserver.embedded.http.RequestParser;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.reads.WatchSession;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.tables.TableView;
import dev.windlass.testing.apiserver.embedded.types.Discovery;
import dev.windlass.testing.apiserver.embedded.types.OpenApi;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Executes requests, regardless of the connection through which they arrive. */
final class ApiRequests {
  private static final Logger log = LoggerFactory.getLogger(ApiRequests.class);
  private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");

  private final Store store;
  private final RequestParser parser;
  private final Discovery discovery;
  private final OpenApi openApi;
  private final ObjectRequests objects;
  private final boolean streamingLists;
  private final TableView tables;
  private final RequestLog requests;
  private final InjectedFaults faults;

  ApiRequests(
      Store store,
      ResourceTypes types,
      ObjectRequests objects,
      boolean streamingLists,
      TableView tables,
      RequestLog requests,
      InjectedFaults faults) {
    this.store = store;
    this.parser = new RequestParser(types);
    this.discovery = new Discovery(types);
    this.openApi = new OpenApi(types);
    this.objects = objects;
    this.streamingLists = streamingLists;
    this.tables = tables;
    this.requests = requests;
    this.faults = faults;
  }

  /**
   * Parses a request for a resource. The result is empty for all other paths.
   *
   * @throws StatusException if the method is not allowed
   */
  Optional<ApiRequest> parse(String method, URI uri) {
    return parser.parse(method, uri);
  }

  /**
   * Executes a request. A rejection is returned as a response, like any other.
   *
   * @param headers returns the first value of a header of the request, or null
   * @throws InterruptedException if the server is closed while the request waits
   */
  Reply answer(String method, URI uri, UnaryOperator<@Nullable String> headers, byte[] body)
      throws InterruptedException {
    try {
      Optional<ApiRequest> request = parser.parse(method, uri);
      return request.isPresent() ? answer(request.get(), headers, body) : document(uri);
    } catch (StatusException refusal) {
      return new Reply.Document(refusal.code(), refusal.status());
    } catch (RuntimeException e) {
      log.error("{} {} failed", method, uri, e);
      StatusException failure = StatusException.of(500, "InternalError", String.valueOf(e));
      return new Reply.Document(failure.code(), failure.status());
    }
  }

  private Reply answer(ApiRequest request, UnaryOperator<@Nullable String> headers, byte[] body)
      throws InterruptedException {
    if (!request.type().hasSubresource(request.subresource())) {
      throw request.type().custom()
          ? StatusException.notFound(request.type().resource(), request.name())
          : StatusException.noSuchPath();
    }
    String accept = headers.apply("Accept");
    Representation form =
        accept == null
            ? Representation.WHOLE
            : Representation.of(
                accept,
                (type, object) -> tables.of(type, object, request.parameter("includeObject")));
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
              contentType == null ? "" : contentType,
              body,
              warning -> warnings.add("299 - \"" + warning.replace("\"", "\\\"") + '"'));
      return new Reply.Document(
          answer.code(), form.of(request.type(), answer.body()), List.copyOf(warnings));
    } catch (StatusException refusal) {
      return new Reply.Document(refusal.code(), refusal.status(), List.copyOf(warnings));
    }
  }

  private Reply document(URI uri) {
    List<String> path = RequestParser.segments(uri);
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
