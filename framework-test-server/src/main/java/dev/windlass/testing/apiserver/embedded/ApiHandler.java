// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.ApiResponse;
import dev.windlass.testing.apiserver.embedded.http.HttpReply;
import dev.windlass.testing.apiserver.embedded.http.InjectedFaults;
import dev.windlass.testing.apiserver.embedded.http.Representation;
import dev.windlass.testing.apiserver.embedded.http.RequestLog;
import dev.windlass.testing.apiserver.embedded.http.RequestParser;
import dev.windlass.testing.apiserver.embedded.objects.StatusException;
import dev.windlass.testing.apiserver.embedded.reads.OpenWatches;
import dev.windlass.testing.apiserver.embedded.reads.WatchSession;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.requests.Verb;
import dev.windlass.testing.apiserver.embedded.storage.Store;
import dev.windlass.testing.apiserver.embedded.types.Discovery;
import dev.windlass.testing.apiserver.embedded.types.OpenApi;
import dev.windlass.testing.apiserver.embedded.types.ResourceTypes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles HTTP requests, each on its own thread. */
final class ApiHandler implements HttpHandler {
  private static final Logger log = LoggerFactory.getLogger(ApiHandler.class);
  private static final Set<String> HEALTH = Set.of("healthz", "livez", "readyz");

  private final Store store;
  private final RequestParser parser;
  private final Discovery discovery;
  private final OpenApi openApi;
  private final ObjectRequests objects;
  private final OpenWatches watches;
  private final boolean streamingLists;
  private final RequestLog requests;
  private final InjectedFaults faults;

  ApiHandler(
      Store store,
      ResourceTypes types,
      ObjectRequests objects,
      OpenWatches watches,
      boolean streamingLists,
      RequestLog requests,
      InjectedFaults faults) {
    this.store = store;
    this.parser = new RequestParser(types);
    this.discovery = new Discovery(types);
    this.openApi = new OpenApi(types);
    this.objects = objects;
    this.watches = watches;
    this.streamingLists = streamingLists;
    this.requests = requests;
    this.faults = faults;
  }

  /**
   * Handles a request. If this method throws an exception, the JDK's server closes the connection.
   */
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    try {
      Optional<ApiRequest> request =
          parser.parse(exchange.getRequestMethod(), exchange.getRequestURI());
      if (request.isPresent()) {
        answer(exchange, request.get(), body);
      } else {
        answerDocument(exchange);
      }
    } catch (StatusException refusal) {
      HttpReply.json(exchange, refusal.code(), refusal.status());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server is closed");
    } catch (RuntimeException e) {
      log.error("{} {} failed", exchange.getRequestMethod(), exchange.getRequestURI(), e);
      StatusException failure = StatusException.of(500, "InternalError", String.valueOf(e));
      HttpReply.json(exchange, failure.code(), failure.status());
    }
  }

  private void answer(HttpExchange exchange, ApiRequest request, byte[] body)
      throws IOException, InterruptedException {
    if (!request.type().hasSubresource(request.subresource())) {
      HttpReply.pageNotFound(exchange);
      return;
    }
    if (request.verb() == Verb.WATCH && offersWebSocket(exchange)) {
      // fabric8 requests a WebSocket first and falls back to plain HTTP after a 200. The body must
      // end, because Vert.x reads all of it before it reports that the upgrade has failed.
      HttpReply.text(exchange, 200, "");
      return;
    }
    String accept = exchange.getRequestHeaders().getFirst("Accept");
    Representation form = accept == null ? Representation.WHOLE : Representation.of(accept);
    RecordedRequest recorded = request.recorded();
    requests.add(recorded);
    faults.check(recorded);
    if (request.verb() == Verb.WATCH) {
      WatchSession session = WatchSession.open(store, request, form, streamingLists);
      watches.run(request, session, HttpReply.stream(exchange));
      exchange.close();
      return;
    }
    String contentType = exchange.getRequestHeaders().getFirst("Content-Type");
    Headers headers = exchange.getResponseHeaders();
    ApiResponse answer =
        objects.answer(
            request,
            contentType == null ? "" : contentType,
            body,
            warning -> headers.add("Warning", "299 - \"" + warning.replace("\"", "\\\"") + '"'));
    ObjectNode shown = form.of(request.type(), answer.body());
    HttpReply.json(exchange, answer.code(), shown);
  }

  private static boolean offersWebSocket(HttpExchange exchange) {
    return "websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"));
  }

  private void answerDocument(HttpExchange exchange) throws IOException {
    List<String> path = RequestParser.segments(exchange.getRequestURI());
    Optional<? extends JsonNode> document =
        discovery.document(path).or(() -> openApi.document(path));
    if (!path.isEmpty() && HEALTH.contains(path.get(0))) {
      HttpReply.text(exchange, 200, "ok");
    } else if (document.isPresent()) {
      HttpReply.json(exchange, 200, document.get());
    } else {
      HttpReply.pageNotFound(exchange);
    }
  }
}
