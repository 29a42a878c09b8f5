// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client;

import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What stands around the requests of a client, and where they go.
 *
 * @param writes around each write
 * @param requests hears of each request
 * @param basePath of the server's address, with a slash at its end
 */
record Hooks(WriteHook writes, RequestListener requests, String basePath) {

  private static final Logger log = LoggerFactory.getLogger(Hooks.class);

  /** Tells of a request. */
  RequestListener.Answered sending(HttpRequest request) {
    if (requests == RequestListener.NONE) {
      return RequestListener.Answered.IGNORED;
    }
    try {
      return requests.sending(request);
    } catch (RuntimeException | Error e) {
      log.error("A listener of requests failed; the request goes on", e);
      return RequestListener.Answered.IGNORED;
    }
  }

  /** Tells how it ends, once it does. Whoever waits for the answer may see it before. */
  static <T> void tell(
      RequestListener.Answered answered, CompletableFuture<HttpResponse<T>> response) {
    if (answered != RequestListener.Answered.IGNORED) {
      var unused = response.whenComplete((answer, failure) -> ended(answered, answer));
    }
  }

  /** It has ended. */
  static void ended(RequestListener.Answered answered, @Nullable HttpResponse<?> response) {
    try {
      answered.answered(
          response == null ? 0 : response.code(), response == null ? -1 : length(response.body()));
    } catch (RuntimeException | Error e) {
      log.error("A listener of requests failed; the answer is handed on", e);
    }
  }

  private static long length(@Nullable Object body) {
    if (body instanceof byte[] bytes) {
      return bytes.length;
    }
    return body instanceof String text ? text.getBytes(StandardCharsets.UTF_8).length : -1;
  }
}
