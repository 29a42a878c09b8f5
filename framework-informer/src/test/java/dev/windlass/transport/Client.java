// SPDX-License-Identifier: Apache-2.0
package dev.windlass.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.windlass.scheduling.ManualScheduler;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A client on virtual time. */
final class Client implements AutoCloseable {

  private static final long LIMIT_SECONDS = 20;

  final ManualScheduler time = new ManualScheduler();
  final HttpClient http;

  Client() {
    this(builder -> {});
  }

  Client(Consumer<HttpClient.Builder> settings) {
    this(settings, InetAddress::getAllByName);
  }

  Client(Consumer<HttpClient.Builder> settings, Addresses.Resolver resolver) {
    HttpClient.Builder builder = new SocketTransport(time, resolver).newBuilder();
    builder.tag(new RequestConfigBuilder().withRequestRetryBackoffLimit(0).build());
    settings.accept(builder);
    http = builder.build();
  }

  /** Sends a request, and reads its response to the end. */
  CompletableFuture<HttpResponse<String>> send(String uri, Consumer<HttpRequest.Builder> settings) {
    return send(http, uri, settings);
  }

  static CompletableFuture<HttpResponse<String>> send(
      HttpClient http, String uri, Consumer<HttpRequest.Builder> settings) {
    return http.sendAsync(request(http, uri, settings), String.class);
  }

  CompletableFuture<HttpResponse<String>> get(String uri) {
    return send(uri, request -> {});
  }

  CompletableFuture<HttpResponse<String>> write(String method, String uri) {
    return send(uri, request -> request.method(method, "text/plain", "x"));
  }

  private static HttpRequest request(
      HttpClient http, String uri, Consumer<HttpRequest.Builder> settings) {
    HttpRequest.Builder request = http.newHttpRequestBuilder();
    request.uri(uri);
    settings.accept(request);
    return request.build();
  }

  Stream stream(String uri, Consumer<HttpRequest.Builder> settings) {
    return stream(uri, settings, new Stream());
  }

  Stream stream(String uri, Consumer<HttpRequest.Builder> settings, Stream stream) {
    HttpRequest request = request(http, uri, settings);
    stream.response = http.consumeBytes(request, stream);
    return stream;
  }

  /** A response whose body the test demands piece by piece. */
  static class Stream implements AsyncBody.Consumer<List<ByteBuffer>> {
    final BlockingQueue<String> pieces = new LinkedBlockingQueue<>();
    CompletableFuture<HttpResponse<AsyncBody>> response = new CompletableFuture<>();

    @Override
    public void consume(List<ByteBuffer> buffers, AsyncBody body) throws Exception {
      for (ByteBuffer buffer : buffers) {
        pieces.add(StandardCharsets.UTF_8.decode(buffer).toString());
      }
    }

    AsyncBody body() throws Exception {
      return Client.get(response).body();
    }

    String next() throws Exception {
      body().consume();
      return pieces.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Waits for the body of a successful response. */
  static String body(CompletableFuture<HttpResponse<String>> response) throws Exception {
    return get(response).body();
  }

  /** Waits for the failure of a request. */
  static Throwable failure(CompletableFuture<?> future) {
    Throwable failure = catchThrowable(() -> get(future));
    assertThat(failure).as("a failure").isNotNull();
    while (failure instanceof ExecutionException || failure instanceof CompletionException) {
      failure = failure.getCause();
    }
    return failure;
  }

  @Override
  public void close() {
    http.close();
  }
}
