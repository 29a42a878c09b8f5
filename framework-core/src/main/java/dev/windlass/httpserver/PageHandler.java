// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.FatalErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks a request, finds its page, and sends the page's response. */
final class PageHandler implements HttpHandler {

  /** The maximum size of the headers: 16 KiB, which is sufficient for a token with many groups. */
  static final int LONGEST_HEADERS = 16 * 1024;

  /** The maximum length of the path and query: 4 KiB. */
  static final int LONGEST_ADDRESS = 4 * 1024;

  private static final Logger log = LoggerFactory.getLogger(HttpEndpoint.class);

  private final Map<String, Page> pages;
  private final RequestAuthorizer authorizer;
  private final Semaphore turns = new Semaphore(HttpEndpoint.PAGES);

  PageHandler(Map<String, Page> pages, RequestAuthorizer authorizer) {
    this.pages = pages;
    this.authorizer = authorizer;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!RequestThreads.hasArrived()) {
        return;
      }
      Optional<PageReply> refusal = refusal(exchange);
      if (refusal.isPresent()) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      send(exchange, refusal.isPresent() ? refusal.get() : answer(exchange));
    } catch (InterruptedException e) { // the request is over its limit, or the endpoint is stopping
      Thread.currentThread().interrupt();
    }
  }

  private static Optional<PageReply> refusal(HttpExchange exchange) {
    String method = exchange.getRequestMethod();
    Headers headers = exchange.getRequestHeaders();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return Optional.of(PageReply.text(405, "use GET or HEAD\n").with("Allow", "GET, HEAD"));
    }
    String length = headers.getFirst("Content-Length");
    if (headers.containsKey("Transfer-Encoding") || (length != null && !length.equals("0"))) {
      return Optional.of(PageReply.text(413, "a request body is not accepted\n"));
    }
    if (exchange.getRequestURI().toString().length() > LONGEST_ADDRESS) {
      return Optional.of(PageReply.text(414, "the address is too long\n"));
    }
    if (size(headers) > LONGEST_HEADERS) {
      return Optional.of(PageReply.text(431, "the headers are too long\n"));
    }
    return Optional.empty();
  }

  private static int size(Headers headers) {
    int size = 0;
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      for (String value : header.getValue()) {
        size += header.getKey().length() + value.length();
      }
    }
    return size;
  }

  private PageReply answer(HttpExchange exchange) throws InterruptedException {
    String path = String.valueOf(exchange.getRequestURI().getPath());
    Optional<String> place = place(path);
    Page page = place.map(pages::get).orElse(null);
    if (place.isEmpty() || page == null) {
      return PageReply.text(404, "404 page not found\n");
    }
    PageRequest request =
        PageRequest.of(
            path,
            exchange.getRequestURI().getRawQuery(),
            exchange.getRequestHeaders().getFirst("Authorization"));
    try {
      Optional<PageReply> refused = authorizer.refuse(request, place.get());
      return refused.isPresent() ? refused.get() : made(page, request);
    } catch (InterruptedException e) {
      throw e;
    } catch (Throwable t) { // the root of a request: other requests must be unaffected
      FatalErrors.rethrow(t);
      log.error("{} failed", OneLine.of(request.toString(), 200), t);
      return PageReply.text(500, "internal error\n");
    }
  }

  private PageReply made(Page page, PageRequest request) throws Exception {
    turns.acquire();
    try {
      return page.answer(request);
    } finally {
      turns.release();
    }
  }

  /**
   * Returns the longest path that has a page and is either the given path or one of its parents.
   * The result is empty if there is no such path.
   */
  private Optional<String> place(String path) {
    String place = path;
    while (!place.isEmpty()) {
      if (pages.containsKey(place)) {
        return Optional.of(place);
      }
      place = place.substring(0, Math.max(0, place.lastIndexOf('/')));
    }
    return Optional.empty();
  }

  private static void send(HttpExchange exchange, PageReply reply) throws IOException {
    byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", reply.contentType());
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Cache-Control", "no-store");
    reply.headers().forEach(headers::set);
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", String.valueOf(body.length));
      exchange.sendResponseHeaders(reply.code(), -1);
      return;
    }
    exchange.sendResponseHeaders(reply.code(), body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
