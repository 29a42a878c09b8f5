// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.informer.reflector.FeedStream;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a stream wakes its reader and asks for more, on a transport that does as it is told. */
final class HttpFeedStreamTest {

  private static final int READ_AHEAD = 256 * 1024;

  private final Body body = new Body();
  private int wakeUps;
  private AsyncBody.Consumer<List<ByteBuffer>> consumer = (buffers, from) -> {};
  private final FeedStream stream =
      HttpFeedStream.open(
          answering(HttpClient.class, this::respond),
          answering(HttpRequest.class, (proxy, method, arguments) -> ""),
          new WatchParser(),
          () -> wakeUps++);

  /** Counts what it is asked for, and brings nothing by itself. */
  private static final class Body implements AsyncBody {
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private int asked;
    private int cancelled;

    @Override
    public void consume() {
      asked++;
    }

    @Override
    public CompletableFuture<Void> done() {
      return done;
    }

    @Override
    public void cancel() {
      cancelled++;
    }
  }

  private record Response(AsyncBody body) implements HttpResponse<AsyncBody> {
    @Override
    public int code() {
      return 200;
    }

    @Override
    public HttpRequest request() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
      return Optional.empty();
    }

    @Override
    public List<String> headers(String name) {
      return List.of();
    }

    @Override
    public Map<String, List<String>> headers() {
      return Map.of();
    }
  }

  private static <T> T answering(Class<T> type, InvocationHandler answers) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
  }

  @SuppressWarnings({"unchecked", "FutureReturnValueIgnored"}) // what a proxy returns is an Object
  private Object respond(Object proxy, Method method, Object... arguments) {
    assertThat(method.getName()).isEqualTo("consumeBytes");
    consumer = (AsyncBody.Consumer<List<ByteBuffer>>) arguments[1];
    return CompletableFuture.completedFuture(new Response(body));
  }

  private void arrives(String piece) throws Exception {
    consumer.consume(List.of(ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8))), body);
  }

  private static String line(String content) {
    return "{\"type\":\"ADDED\",\"object\":{\"a\":\"" + content + "\"}}\n";
  }

  private int readAll() {
    int events = 0;
    while (stream.poll().isPresent()) {
      events++;
    }
    return events;
  }

  /** Every further wake-up would cost the transport's thread something, and change nothing. */
  @Test
  void wakesTheReaderOnceForWhatItHasNotRead() throws Exception {
    assertThat(readAll()).as("opened").isEqualTo(1);
    wakeUps = 0;
    for (int i = 1; i <= 3; i++) {
      arrives(line("x"));
      arrives(line("y"));
      assertThat(wakeUps).isEqualTo(i);
      assertThat(readAll()).isEqualTo(2);
    }
  }

  /** A piece may come between the reader's last two looks; then it waits for the next wake-up. */
  @Test
  void wakesTheReaderForWhatComesAfterItBeganToRead() throws Exception {
    readAll();
    arrives(line("x"));
    wakeUps = 0;
    assertThat(stream.poll()).isPresent();
    arrives(line("y"));
    assertThat(wakeUps).isEqualTo(1);
    assertThat(readAll()).isEqualTo(1);
  }

  @Test
  void asksForNoMoreThanItReadsAhead() throws Exception {
    readAll();
    assertThat(body.asked).isEqualTo(1);
    String half = line("x".repeat(READ_AHEAD / 2));
    arrives(half);
    assertThat(body.asked).isEqualTo(2);
    arrives(half);
    assertThat(body.asked).as("enough").isEqualTo(2);
    assertThat(stream.poll()).isPresent();
    assertThat(body.asked).as("room again").isEqualTo(3);
    readAll();
    assertThat(body.asked).as("once per piece").isEqualTo(3);
  }

  @Test
  void takesNothingInOnceItIsClosed() throws Exception {
    readAll();
    wakeUps = 0;
    stream.close();
    arrives(line("x"));
    assertThat(wakeUps).isZero();
    assertThat(readAll()).isZero();
    assertThat(body.cancelled).isEqualTo(1);
    assertThat(body.asked).as("by headers alone").isEqualTo(1);
  }
}
