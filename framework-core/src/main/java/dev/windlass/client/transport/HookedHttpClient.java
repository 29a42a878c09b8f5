// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.transport;

import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wrapper around fabric8's HTTP client. It passes each write to a {@link WriteHook}, and each
 * request to a {@link RequestListener}. Derived clients use the same hook and listener. The wrapper
 * reports the outcome of a write after it has read the response completely, even if the caller has
 * cancelled the write: a request that was sent cannot be recalled.
 */
public final class HookedHttpClient implements HttpClient {

  private static final Logger log = LoggerFactory.getLogger(HookedHttpClient.class);

  private final HttpClient delegate;
  private final RequestHooks hooks;

  /** Creates a wrapper around another client. */
  HookedHttpClient(HttpClient delegate, RequestHooks hooks) {
    this.delegate = delegate;
    this.hooks = hooks;
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
    Optional<WriteRequest> write = WriteRequest.of(request, hooks.basePath());
    if (write.isEmpty()) {
      return send(request, type);
    }
    WriteHook.Sent hooked =
        hooks.writes().before(write.get()); // a rejection is not a network failure, so throw it
    CompletableFuture<HttpResponse<byte[]>> sent;
    try {
      sent = send(request, byte[].class);
    } catch (RuntimeException | Error e) {
      end(write.get(), hooked, null, e);
      throw e;
    }
    CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
    var unusedTold =
        sent.whenComplete(
            (response, failure) -> {
              end(write.get(), hooked, response, failure);
              if (response == null) {
                result.completeExceptionally(failure);
              } else {
                complete(result, response, type);
              }
            });
    return result;
  }

  /**
   * Completes the caller's future with the converted response, or exceptionally if the conversion
   * fails.
   */
  private static <T> void complete(
      CompletableFuture<HttpResponse<T>> result, HttpResponse<byte[]> response, Class<T> type) {
    try {
      result.complete(new Converted<>(response, type));
    } catch (RuntimeException | Error e) {
      result.completeExceptionally(e);
    }
  }

  private <T> CompletableFuture<HttpResponse<T>> send(HttpRequest request, Class<T> type) {
    return reporting(request, () -> delegate.sendAsync(request, type));
  }

  /** Sends the request, and reports the request and its outcome to the listener. */
  private <T> CompletableFuture<HttpResponse<T>> reporting(
      HttpRequest request, Supplier<CompletableFuture<HttpResponse<T>>> sending) {
    RequestListener.Answered answered = hooks.sending(request);
    try {
      CompletableFuture<HttpResponse<T>> response = sending.get();
      RequestHooks.tell(answered, response);
      return response;
    } catch (RuntimeException | Error e) {
      RequestHooks.ended(answered, null);
      throw e;
    }
  }

  private static void end(
      WriteRequest write,
      WriteHook.Sent hooked,
      @Nullable HttpResponse<byte[]> response,
      @Nullable Throwable failure) {
    byte[] body = response == null ? null : response.body();
    try {
      if (response == null && wasRefused(failure)) {
        hooked.refused();
      } else {
        hooked.ended(response == null ? 0 : response.code(), body == null ? new byte[0] : body);
      }
    } catch (RuntimeException | Error e) {
      log.error("Failed to record the outcome of {}; reads from the cache may be stale", write, e);
    }
  }

  /** Returns whether a fence rejected the request, or the server rejected its credentials. */
  private static boolean wasRefused(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof LeadershipLostException || cause instanceof Repetition.Wanted;
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    Optional<WriteRequest> write = WriteRequest.of(request, hooks.basePath());
    if (write.isPresent()) {
      // No known caller streams the response to a write. If a caller does, the outcome is unknown.
      WriteHook.Sent hooked = hooks.writes().before(write.get());
      CompletableFuture<HttpResponse<AsyncBody>> sent;
      try {
        sent = reporting(request, () -> delegate.consumeBytes(request, consumer));
      } catch (RuntimeException | Error e) {
        end(write.get(), hooked, null, e);
        throw e;
      }
      // A separate future, because the caller may cancel it.
      CompletableFuture<HttpResponse<AsyncBody>> result = new CompletableFuture<>();
      var unused =
          sent.whenComplete(
              (response, failure) -> {
                end(write.get(), hooked, null, failure);
                if (response == null) {
                  result.completeExceptionally(failure);
                } else if (!result.complete(response)) {
                  response.body().cancel();
                }
              });
      return result;
    }
    return reporting(request, () -> delegate.consumeBytes(request, consumer));
  }

  @Override
  public DerivedClientBuilder newBuilder() {
    return new HookedBuilder(delegate.newBuilder(), hooks);
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return delegate.newWebSocketBuilder();
  }

  @Override
  public HttpRequest.Builder newHttpRequestBuilder() {
    return delegate.newHttpRequestBuilder();
  }

  @Override
  public boolean isClosed() {
    return delegate.isClosed();
  }

  @Override
  public void close() {
    delegate.close();
  }

  /** A response whose body this class converts from bytes to the requested type. */
  private static final class Converted<T> implements HttpResponse<T> {
    private final HttpResponse<byte[]> response;
    private final T body;

    Converted(HttpResponse<byte[]> response, Class<T> type) {
      this.response = response;
      this.body = convert(response.body(), type);
    }

    private static <T> T convert(byte @Nullable [] body, Class<T> type) {
      byte[] bytes = body == null ? new byte[0] : body;
      if (type == byte[].class) {
        return type.cast(bytes);
      }
      if (type == InputStream.class) {
        return type.cast(new ByteArrayInputStream(bytes));
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      return type.cast(type == Reader.class ? new StringReader(text) : text);
    }

    @Override
    public int code() {
      return response.code();
    }

    @Override
    public String message() {
      return response.message();
    }

    @Override
    public T body() {
      return body;
    }

    @Override
    public HttpRequest request() {
      return response.request();
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
      return response.previousResponse();
    }

    @Override
    public List<String> headers(String key) {
      return response.headers(key);
    }

    @Override
    public Map<String, List<String>> headers() {
      return response.headers();
    }
  }
}
