// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.leader.Fence;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to send a request. It is the {@link HttpClient.DerivedClientBuilder#tag tag} of the
 * client that sends the request, by which interceptors find it.
 */
final class Attempt {

  /** The name of the interceptor that checks the fence, which is the last. */
  private static final String NAME = "windlass-fence";

  private final Fence fence;
  private final boolean reads;

  /** The attempt of an outer pipeline, if the client of one manager is given to another. */
  private final @Nullable Attempt outer;

  private volatile boolean otherCredentials;

  Attempt(Fence fence, boolean reads, @Nullable Attempt outer) {
    this.fence = fence;
    this.reads = reads;
    this.outer = outer;
  }

  boolean reads() {
    return reads;
  }

  /**
   * Returns whether the server has rejected the credentials, and an interceptor has others for the
   * next attempt.
   */
  boolean hasOtherCredentials() {
    return otherCredentials;
  }

  void noteOtherCredentials() {
    otherCredentials = true;
  }

  /**
   * Makes the interceptors of a transport serve attempts. Call this method before the transport is
   * built.
   *
   * @return the builder
   */
  static HttpClient.DerivedClientBuilder prepare(HttpClient.DerivedClientBuilder transport) {
    transport.addOrReplaceInterceptor(NAME, null); // so that it becomes the last one again
    if (transport instanceof StandardHttpClientBuilder<?, ?, ?> standard) {
      standard.getInterceptors().replaceAll((name, other) -> Reporting.around(other));
    }
    return transport.addOrReplaceInterceptor(NAME, new Guard());
  }

  /** Checks the fence after all other interceptors have run, since these can take long. */
  private static final class Guard implements Interceptor {
    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
      for (Attempt each = tags.getTag(Attempt.class); each != null; each = each.outer) {
        if (builder instanceof HttpRequest.Builder) {
          Fence.guarding(each.fence).before(builder, request, tags);
        } else {
          each.fence.check(); // the handshake of a WebSocket
        }
      }
    }
  }

  /**
   * Delegates to an interceptor that may want a request to be repeated, normally with a renewed
   * token after a rejection with 401. Notes the wish in the attempt: fabric8's client would repeat
   * the request at once, without the fence, even if nobody waits for the response any more. Only a
   * read that was rejected for another reason is left to fabric8's client.
   */
  private record Reporting(Interceptor delegate) implements Interceptor {

    static Interceptor around(Interceptor other) {
      return other instanceof Reporting ? other : new Reporting(other);
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(
        BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
      return noted(delegate.afterFailure(builder, response, tags), response, tags);
    }

    @Override
    public CompletableFuture<Boolean> afterFailure(
        HttpRequest.Builder builder, HttpResponse<?> response, RequestTags tags) {
      return noted(delegate.afterFailure(builder, response, tags), response, tags);
    }

    private static CompletableFuture<Boolean> noted(
        CompletableFuture<Boolean> repeat, HttpResponse<?> response, RequestTags tags) {
      Attempt attempt = tags.getTag(Attempt.class);
      if (attempt.reads && response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
        return repeat;
      }
      return repeat.thenApply(
          wanted -> {
            if (Boolean.TRUE.equals(wanted)) {
              attempt.noteOtherCredentials();
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
}
