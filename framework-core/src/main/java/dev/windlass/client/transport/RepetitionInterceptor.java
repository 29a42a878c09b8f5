// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Delegates to an interceptor, but decides on repetitions as the client's tag {@link Repetition}
 * demands.
 */
record RepetitionInterceptor(Interceptor delegate) implements Interceptor {

  static Interceptor around(Interceptor interceptor) {
    return interceptor instanceof RepetitionInterceptor
        ? interceptor
        : new RepetitionInterceptor(interceptor);
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
    return decided(delegate.afterFailure(builder, response, tags), response, tags);
  }

  @Override
  public CompletableFuture<Boolean> afterFailure(
      HttpRequest.Builder builder, HttpResponse<?> response, RequestTags tags) {
    return decided(delegate.afterFailure(builder, response, tags), response, tags);
  }

  private static CompletableFuture<Boolean> decided(
      CompletableFuture<Boolean> wanted, HttpResponse<?> response, RequestTags tags) {
    Repetition repetition = tags.getTag(Repetition.class);
    if (repetition == null) {
      return wanted;
    }
    return wanted.thenApply(
        repeat -> {
          if (Boolean.TRUE.equals(repeat) && repetition == Repetition.BY_SENDER) {
            if (response.body() instanceof AsyncBody body) {
              body.cancel(); // nobody reads the rejection
            }
            throw new Repetition.Wanted();
          }
          return false;
        });
  }

  @Override
  public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
    delegate.before(builder, request, tags);
  }

  @Override
  public AsyncBody.Consumer<List<ByteBuffer>> consumer(
      AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
    return delegate.consumer(consumer, request);
  }

  @Override
  public void after(
      HttpRequest request,
      HttpResponse<?> response,
      AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    delegate.after(request, response, consumer);
  }

  @Override
  public void afterConnectionFailure(HttpRequest request, Throwable failure) {
    delegate.afterConnectionFailure(request, failure);
  }
}
