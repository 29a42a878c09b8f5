// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hooks that a client calls for its requests, and the server's base path.
 *
 * @param writes the hook that intercepts each write
 * @param requests the listener that observes each request
 * @param basePath the path in the server's URL, which ends with a slash
 */
record RequestHooks(WriteHook writes, RequestListener requests, String basePath) {

  private static final Logger log = LoggerFactory.getLogger(RequestHooks.class);

  /** Notifies the listener that a request is about to be sent. */
  RequestListener.Answered sending(HttpRequest request) {
    if (requests == RequestListener.NONE) {
      return RequestListener.Answered.IGNORED;
    }
    try {
      return requests.sending(request);
    } catch (RuntimeException | Error e) {
      log.error("A request listener failed; the request continues", e);
      return RequestListener.Answered.IGNORED;
    }
  }

  /**
   * Reports the outcome to the listener once the request has completed. The caller may receive the
   * response before the listener receives the outcome.
   */
  static <T> void tell(
      RequestListener.Answered answered, CompletableFuture<HttpResponse<T>> response) {
    if (answered != RequestListener.Answered.IGNORED) {
      var unused = response.whenComplete((answer, failure) -> ended(answered, answer));
    }
  }

  /** Reports the outcome to the listener. */
  static void ended(RequestListener.Answered answered, @Nullable HttpResponse<?> response) {
    try {
      answered.answered(
          response == null ? 0 : response.code(), response == null ? -1 : length(response.body()));
    } catch (RuntimeException | Error e) {
      log.error("A request listener failed; the response is passed on", e);
    }
  }

  private static long length(@Nullable Object body) {
    if (body instanceof byte[] bytes) {
      return bytes.length;
    }
    return body instanceof String text ? text.getBytes(StandardCharsets.UTF_8).length : -1;
  }
}
