// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.windlass.testing.apiserver.embedded.http.ApiRequest;
import dev.windlass.testing.apiserver.embedded.http.HttpReply;
import dev.windlass.testing.apiserver.embedded.reads.OpenWatches;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Handles HTTP requests, each on its own thread. */
final class ApiHandler implements HttpHandler {
  private final ApiRequests requests;
  private final OpenWatches watches;

  ApiHandler(ApiRequests requests, OpenWatches watches) {
    this.requests = requests;
    this.watches = watches;
  }

  /**
   * Handles a request. If this method throws an exception, the JDK's server closes the connection.
   */
  @Override
  public void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
      // fabric8 requests a WebSocket first and falls back to plain HTTP after a 200. The body must
      // end, because Vert.x reads all of it before it reports that the upgrade has failed.
      HttpReply.text(exchange, 200, "");
      return;
    }
    try {
      Reply reply =
          requests.answer(
              exchange.getRequestMethod(),
              exchange.getRequestURI(),
              name -> header(exchange, name),
              body);
      send(exchange, reply);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server is closed");
    }
  }

  /**
   * Returns the values of a header, separated by commas, or null if the request does not have the
   * header.
   */
  private static @Nullable String header(HttpExchange exchange, String name) {
    List<String> values = exchange.getRequestHeaders().get(name);
    return values == null ? null : String.join(",", values);
  }

  private void send(HttpExchange exchange, Reply reply) throws IOException, InterruptedException {
    if (reply instanceof Reply.Watch watch) {
      ApiRequest request = watch.request();
      watches.run(request, watch.session(), HttpReply.stream(exchange));
      exchange.close();
    } else if (reply instanceof Reply.Document document) {
      document.warnings().forEach(text -> exchange.getResponseHeaders().add("Warning", text));
      HttpReply.json(exchange, document.code(), document.body());
    } else if (reply instanceof Reply.Text text) {
      HttpReply.text(exchange, text.code(), text.body());
    }
  }
}
