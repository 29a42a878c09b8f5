// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.rest.ApiRequest;
import dev.windlass.transport.Retries;
import io.fabric8.kubernetes.client.RequestConfig;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The path of each request from its caller to the transport, and of the response back. A client of
 * a cluster has one pipeline, and so do the clients derived from it. Each attempt to send a request
 * passes these steps in this order:
 *
 * <ol>
 *   <li><em>Fence.</em> A write that is not permitted fails. A write that is permitted counts as in
 *       progress.
 *   <li><em>Hooks.</em> The {@link WriteHook} learns of a write, the {@link RequestListener} of
 *       each request.
 *   <li><em>Credentials.</em> fabric8's interceptors add them, which can take long. The fence of a
 *       write is therefore checked again, and limits the time of the write.
 *   <li><em>Transport.</em> It sends the request, once.
 *   <li><em>Hooks.</em> The listener and the hook receive the response, so that caches reflect a
 *       write before its caller can read.
 *   <li><em>Fence.</em> The write is no longer in progress.
 *   <li><em>Caller.</em> The caller receives the response. But if the server has rejected the
 *       credentials and others are available, the caller still waits, and this was the first
 *       attempt, the request begins again with the first step.
 * </ol>
 *
 * <p>A write is in progress until its response has arrived or it has failed, even if its caller no
 * longer waits: a request that was sent cannot be recalled. Writes are sent again only if an
 * interceptor of the client asks for it, normally after a 401, even if the client is configured for
 * retries. WebSockets, such as exec, pass the same steps; see {@link PipelineSocket}.
 *
 * <p>Whose fence and observer apply to a request is decided when it enters: requests of our own
 * client state their {@link WriterContext}; for any other request, it is that of the thread.
 *
 * <p>This class is thread-safe.
 */
public final class Pipeline implements HttpClient, Interceptor.RequestTags {

  private static final Logger log = LoggerFactory.getLogger(Pipeline.class);

  /** The methods that need not pass a fence. */
  private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");

  private final HttpClient transport;
  private final String basePath;
  private final Hooks hooks;
  private final Fencing fencing;
  private final RequestConfig withoutRetry;

  /**
   * What a pipeline calls for its requests.
   *
   * @param writes the hook for each write
   * @param requests the observer of each request
   * @param threads the factory of the threads that notify the listener of a WebSocket if a fence
   *     closes the WebSocket
   */
  public record Hooks(WriteHook writes, RequestListener requests, ThreadFactory threads) {}

  /** Determines the fence that a writer's requests must pass. */
  @FunctionalInterface
  public interface Fencing {

    /** No request has to pass a fence. */
    Fencing NONE = writer -> Fence.OPEN;

    /** Returns the fence, given the context of the writer, which is empty outside reconciles. */
    Fence of(Optional<WriterContext> writer);
  }

  private Pipeline(HttpClient transport, String basePath, Hooks hooks, Fencing fencing) {
    this.transport = transport;
    this.basePath = basePath;
    this.hooks = hooks;
    this.fencing = fencing;
    this.withoutRetry = Retries.config(transport);
  }

  /**
   * Creates a pipeline without a fence.
   *
   * @param transport the builder of the transport
   * @param basePath the path in the server's URL, which ends with a slash
   */
  static Pipeline of(DerivedClientBuilder transport, String basePath, Hooks hooks) {
    return new Pipeline(Attempt.prepare(transport).build(), basePath, hooks, Fencing.NONE);
  }

  /** Returns a pipeline that has the same hooks and transport, and other fences. */
  Pipeline fenced(Fencing other) {
    return new Pipeline(transport, basePath, hooks, other);
  }

  /**
   * Sends a request of our own client, which knows what it does and who writes.
   *
   * @param http a pipeline; any other client sends the request as it is
   * @param writer the context of the writer, which is empty outside reconciles
   */
  public static CompletableFuture<HttpResponse<byte[]>> send(
      HttpClient http, HttpRequest request, ApiRequest operation, Optional<WriterContext> writer) {
    return http instanceof Pipeline pipeline
        ? pipeline.send(request, byte[].class, WriteRequest.of(operation, writer), writer)
        : http.sendAsync(request, byte[].class);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
    Optional<WriterContext> writer = WriterContext.current();
    return send(request, type, WriteRequest.of(request, basePath, writer), writer);
  }

  private <T> CompletableFuture<HttpResponse<T>> send(
      HttpRequest request,
      Class<T> type,
      Optional<WriteRequest> write,
      Optional<WriterContext> writer) {
    if (write.isEmpty()) {
      return new Call<T, T>(
              request,
              write,
              writer,
              client -> client.sendAsync(request, type),
              Function.identity())
          .start();
    }
    return new Call<byte[], T>(
            request,
            write,
            writer,
            client -> client.sendAsync(request, byte[].class),
            response -> new ConvertedResponse<>(response, type))
        .start();
  }

  @Override
  public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    Optional<WriterContext> writer = WriterContext.current();
    return new Call<AsyncBody, AsyncBody>(
            request,
            WriteRequest.of(request, basePath, writer),
            writer,
            client -> client.consumeBytes(request, consumer),
            Function.identity())
        .start();
  }

  /**
   * Returns the tag of this client, which is that of its transport.
   *
   * @return the tag, or null if there is none
   */
  @Override
  public <T> @Nullable T getTag(Class<T> type) {
    return transport instanceof Interceptor.RequestTags tags ? tags.getTag(type) : null;
  }

  Attempt attempt(Fence fence, boolean reads) {
    return new Attempt(fence, reads, getTag(Attempt.class));
  }

  /** Returns the transport with a tag by which the interceptors know the attempt. */
  HttpClient transport(Attempt attempt) {
    DerivedClientBuilder builder = transport.newBuilder().tag(attempt);
    return (attempt.reads() ? builder : builder.tag(withoutRetry)).build();
  }

  /** Returns the fence for what the current thread does. */
  Fence fence() {
    return fencing.of(WriterContext.current());
  }

  Thread thread(Runnable task) {
    return hooks.threads().newThread(task);
  }

  RequestListener.Answered sending(HttpRequest request) {
    try {
      return hooks.requests().sending(request);
    } catch (RuntimeException | Error e) {
      log.error("A request listener failed; the request continues", e);
      return RequestListener.Answered.IGNORED;
    }
  }

  static void answered(RequestListener.Answered listener, int code, @Nullable Object body) {
    if (listener == RequestListener.Answered.IGNORED) {
      return;
    }
    long length = -1;
    if (body instanceof byte[] bytes) {
      length = bytes.length;
    } else if (body instanceof String text) {
      length = text.getBytes(StandardCharsets.UTF_8).length;
    }
    try {
      listener.answered(code, length);
    } catch (RuntimeException | Error e) {
      log.error("A request listener failed; the response is passed on", e);
    }
  }

  /**
   * A request and the caller that waits for its response.
   *
   * @param <S> the body that the transport returns
   * @param <R> the body that the caller receives
   */
  private final class Call<S, R> {
    private final HttpRequest request;
    private final boolean reads;
    private final Optional<WriteRequest> write;
    private final Optional<WriterContext> writer;
    private final Fence fence;
    private final Function<HttpClient, CompletableFuture<HttpResponse<S>>> sending;
    private final Function<HttpResponse<S>, HttpResponse<R>> converter;
    private final CompletableFuture<HttpResponse<R>> result = new CompletableFuture<>();

    Call(
        HttpRequest request,
        Optional<WriteRequest> write,
        Optional<WriterContext> writer,
        Function<HttpClient, CompletableFuture<HttpResponse<S>>> sending,
        Function<HttpResponse<S>, HttpResponse<R>> converter) {
      this.request = request;
      this.reads = READS.contains(request.method());
      this.write = write;
      this.writer = writer;
      this.fence = reads ? Fence.OPEN : fencing.of(writer);
      this.sending = sending;
      this.converter = converter;
    }

    /** Sends the request. Throws the exception of a fence or a hook that rejects it. */
    CompletableFuture<HttpResponse<R>> start() {
      send(true);
      return result;
    }

    private void send(boolean first) {
      fence.check();
      Fence.Action action = fence.pass(() -> {}); // a request that was sent can't be recalled
      WriteHook.Sent hook = WriteHook.Sent.IGNORED;
      RequestListener.Answered listener = RequestListener.Answered.IGNORED;
      Attempt attempt = attempt(fence, reads);
      CompletableFuture<HttpResponse<S>> sent;
      try {
        hook = write.isPresent() ? hooks.writes().before(write.get()) : hook;
        begin(hook);
        listener = sending(request);
        sent = sending.apply(transport(attempt));
      } catch (RuntimeException | Error e) {
        end(action, hook, listener, null, e);
        throw e;
      }
      WriteHook.Sent hooked = hook;
      whenCancelled(reads ? () -> sent.cancel(true) : hooked::abandoned);
      RequestListener.Answered listening = listener;
      var unused =
          sent.whenComplete(
              (response, failure) -> {
                end(action, hooked, listening, response, failure);
                if (first && attempt.hasOtherCredentials() && !result.isDone()) {
                  discard(response);
                  sendAgain();
                } else {
                  complete(response, failure);
                }
              });
    }

    private void sendAgain() {
      try {
        send(false);
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
      }
    }

    private void begin(WriteHook.Sent hook) {
      if (hook != WriteHook.Sent.IGNORED) {
        writer.ifPresent(context -> context.sending(hook));
      }
    }

    /** Runs an action if the caller stops waiting for the response. */
    private void whenCancelled(Runnable action) {
      var unused =
          result.whenComplete(
              (response, failure) -> {
                if (result.isCancelled()) {
                  action.run();
                }
              });
    }

    private void end(
        Fence.Action action,
        WriteHook.Sent hook,
        RequestListener.Answered listener,
        @Nullable HttpResponse<S> response,
        @Nullable Throwable failure) {
      answered(listener, response == null ? 0 : response.code(), body(response));
      try {
        if (response == null && wasRefused(failure)) {
          hook.refused();
        } else {
          hook.ended(outcome(response));
        }
      } catch (RuntimeException | Error e) {
        log.error(
            "Failed to record the outcome of {}; reads from the cache may be stale", write, e);
      }
      writer.ifPresent(context -> context.answered(hook));
      action.ended();
    }

    private WriteResponse outcome(@Nullable HttpResponse<S> response) {
      Object body = body(response);
      if (response == null || body instanceof AsyncBody) {
        // No known caller streams the response to a write. If one does, the outcome is unknown.
        return WriteResponse.NONE;
      }
      return new WriteResponse(response.code(), body instanceof byte[] bytes ? bytes : new byte[0]);
    }

    private @Nullable Object body(@Nullable HttpResponse<S> response) {
      return response == null ? null : response.body();
    }

    private void complete(@Nullable HttpResponse<S> response, @Nullable Throwable failure) {
      if (response == null) {
        result.completeExceptionally(failure);
        return;
      }
      try {
        if (!result.complete(converter.apply(response))) {
          discard(response);
        }
      } catch (RuntimeException | Error e) {
        result.completeExceptionally(e);
      }
    }

    /** Releases the connection of a response that nobody reads. */
    private void discard(@Nullable HttpResponse<S> response) {
      Object body = body(response);
      try {
        if (body instanceof AsyncBody unread) {
          unread.cancel();
        } else if (body instanceof Closeable unread) {
          Utils.closeQuietly(unread);
        }
      } catch (RuntimeException e) {
        log.debug("Failed to discard a response", e); // the caller must still receive its outcome
      }
    }
  }

  /** Returns whether the fence has rejected a request before it was sent. */
  private static boolean wasRefused(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof LeadershipLostException;
  }

  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return new PipelineSocket(this);
  }

  @Override
  public HttpRequest.Builder newHttpRequestBuilder() {
    return transport.newHttpRequestBuilder();
  }

  @Override
  public DerivedClientBuilder newBuilder() {
    return new Derived(transport.newBuilder());
  }

  @Override
  public boolean isClosed() {
    return transport.isClosed();
  }

  @Override
  public void close() {
    transport.close();
  }

  private final class Derived implements DerivedClientBuilder {
    private final DerivedClientBuilder builder;

    Derived(DerivedClientBuilder builder) {
      this.builder = builder;
    }

    @Override
    public HttpClient build() {
      return new Pipeline(Attempt.prepare(builder).build(), basePath, hooks, fencing);
    }

    @Override
    public DerivedClientBuilder addOrReplaceInterceptor(String name, Interceptor interceptor) {
      builder.addOrReplaceInterceptor(name, interceptor);
      return this;
    }

    @Override
    public DerivedClientBuilder authenticatorNone() {
      builder.authenticatorNone();
      return this;
    }

    @Override
    public DerivedClientBuilder tag(Object value) {
      builder.tag(value);
      return this;
    }
  }
}
