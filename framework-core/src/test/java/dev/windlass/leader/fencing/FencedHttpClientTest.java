// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.client.transport.Repetition;
import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a fence knows of requests and web sockets, over a transport that the test answers for. */
@Timeout(30)
final class FencedHttpClientTest {

  private static final URI EXEC =
      URI.create("https://server/api/v1/namespaces/default/pods/a/exec?command=ls");
  private static final URI WATCH =
      URI.create("https://server/api/v1/namespaces/default/pods?watch=true");

  private final List<CompletableFuture<Object>> sent = new ArrayList<>();
  private final List<String> closes = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private WebSocket.@Nullable Listener listener;
  private CompletableFuture<WebSocket> opening = new CompletableFuture<>();
  private int opened;
  private final List<Object> tags = new ArrayList<>();
  private final TestFence fence = new TestFence();

  private final Object answer = proxy(HttpResponse.class, (proxy, method, arguments) -> null);

  private final WebSocket socket =
      proxy(
          WebSocket.class,
          (proxy, method, arguments) -> closes.add(method.getName() + " " + arguments[0]));

  private final WebSocket.Builder sockets =
      proxy(
          WebSocket.Builder.class,
          (proxy, method, arguments) -> {
            if (method.getName().equals("buildAsync")) {
              listener = (WebSocket.Listener) arguments[0];
              opened++;
              return opening;
            }
            return proxy;
          });

  private final HttpClient transport =
      proxy(
          HttpClient.class,
          (proxy, method, arguments) -> {
            if (method.getName().equals("newWebSocketBuilder")) {
              return sockets;
            }
            if (method.getName().equals("newBuilder")) {
              return derived();
            }
            CompletableFuture<Object> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
          });

  private HttpClient.DerivedClientBuilder derived() {
    return proxy(
        HttpClient.DerivedClientBuilder.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("build")) {
            return transport;
          }
          if (arguments[0] instanceof Repetition) {
            tags.add(arguments[0]);
          }
          return proxy;
        });
  }

  /** Runs at once: the test is told by whoever closes the fence. */
  private final FencedHttpClient client =
      new FencedHttpClient(
          transport,
          fence,
          task ->
              new Thread() {
                @Override
                public synchronized void start() {
                  task.run();
                }
              });

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private final class Hearing implements WebSocket.Listener {
    @Override
    public void onOpen(WebSocket opened) {
      heard.add("open");
    }

    @Override
    public void onMessage(WebSocket from, String text) {
      heard.add(text);
    }

    @Override
    public void onClose(WebSocket closed, int code, String reason) {
      heard.add("closed " + code);
    }

    @Override
    public void onError(WebSocket failed, Throwable failure) {
      heard.add(String.valueOf(failure.getMessage()));
    }
  }

  private static HttpRequest request(String method) {
    StandardHttpRequest.Builder builder = new StandardHttpRequest.Builder();
    builder.uri("https://server/api/v1/namespaces/default/pods/a");
    builder.method(method, "application/json", "{}");
    return builder.build();
  }

  private CompletableFuture<WebSocket> open(URI uri) {
    return client.newWebSocketBuilder().uri(uri).buildAsync(new Hearing());
  }

  private void opened() {
    java.util.Objects.requireNonNull(listener).onOpen(socket);
    opening.complete(socket);
  }

  @Test
  void notesEachWriteUntilItHasEnded() {
    var unusedPut = client.sendAsync(request("PUT"), byte[].class);
    var unusedDelete = client.sendAsync(request("DELETE"), byte[].class);
    assertThat(fence.underWay).hasSize(2);
    sent.get(0).complete(answer);
    sent.get(1).completeExceptionally(new IllegalStateException("reset"));
    assertThat(fence.underWay).isEmpty();
  }

  /** The request is on the wire, and the lease must not be given to another before it has ended. */
  @Test
  void notesAWriteWhoseCallerHasGivenUpUntilItHasEnded() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    put.cancel(true);
    assertThat(sent.get(0)).isNotDone();
    assertThat(fence.underWay).hasSize(1);
    sent.get(0).complete(answer);
    assertThat(fence.underWay).isEmpty();
  }

  private void rejected(CompletableFuture<?> request) {
    request.completeExceptionally(new CompletionException(new Repetition.Wanted()));
  }

  /** It is one action from the first request to the end of the second. */
  @Test
  void repeatsAWriteOnceIfThereAreOtherCredentials() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    rejected(sent.get(0));
    assertThat(sent).hasSize(2);
    assertThat(tags).containsExactly(Repetition.BY_SENDER, Repetition.NEVER);
    assertThat(fence.underWay).hasSize(1);
    sent.get(1).completeExceptionally(new IllegalStateException("reset"));
    assertThat(fence.underWay).isEmpty();
    assertThatThrownBy(put::join).hasRootCauseMessage("reset");
  }

  @Test
  void repeatsNoWriteWhoseCallerHasGivenUp() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    put.cancel(true);
    rejected(sent.get(0));
    assertThat(sent).hasSize(1);
    assertThat(fence.underWay).isEmpty();
  }

  @Test
  void opensAWebSocketAgainIfThereAreOtherCredentials() {
    var exec = open(EXEC);
    CompletableFuture<WebSocket> first = opening;
    opening = new CompletableFuture<>();
    rejected(first);
    assertThat(opened).isEqualTo(2);
    assertThat(fence.underWay).hasSize(1);
    opened();
    assertThat(exec).isCompletedWithValue(socket);
    assertThat(heard).containsExactly("open");
  }

  @Test
  void opensNoWebSocketAgainBehindAClosedFence() {
    var exec = open(EXEC);
    fence.close();
    rejected(opening);
    assertThat(opened).isEqualTo(1);
    assertThat(fence.underWay).isEmpty();
    assertThatThrownBy(exec::join).hasCauseInstanceOf(LeadershipLostException.class);
  }

  @Test
  void closesAWebSocketWhoseCallerHasGivenUp() {
    open(EXEC).cancel(true);
    opened();
    assertThat(closes).containsExactly("sendClose 1000");
  }

  @Test
  void takesNoNoteOfReads() {
    var unused = client.sendAsync(request("GET"), byte[].class);
    assertThat(fence.underWay).isEmpty();
  }

  @Test
  void refusesAWebSocketBehindAClosedFence() {
    fence.close();
    assertThatThrownBy(() -> open(EXEC).join()).hasCauseInstanceOf(LeadershipLostException.class);
    assertThat(listener).as("what would have been opened").isNull();
  }

  @Test
  void cutsAWebSocketWhenTheFenceCloses() {
    var unused = open(EXEC);
    opened();
    assertThat(fence.underWay).hasSize(1);
    WebSocket.Listener told = java.util.Objects.requireNonNull(listener);
    told.onMessage(socket, "hello");
    fence.close();
    assertThat(fence.underWay).isEmpty();
    assertThat(closes).containsExactly("sendClose 1001");
    told.onMessage(socket, "late");
    told.onClose(socket, 1001, "");
    assertThat(heard)
        .containsExactly(
            "open", "hello", "the connection was cut because this replica no longer leads");
  }

  /** The fence may close between the request and the answer. */
  @Test
  void cutsAWebSocketThatOpensTooLate() {
    var unused = open(EXEC);
    fence.close();
    opened();
    assertThat(closes).containsExactly("sendClose 1001");
    assertThat(heard).doesNotContain("open").hasSize(1);
  }

  @Test
  void forgetsAWebSocketThatHasEnded() {
    var unused = open(EXEC);
    opened();
    java.util.Objects.requireNonNull(listener).onClose(socket, 1000, "");
    assertThat(fence.underWay).isEmpty();
    assertThat(heard).containsExactly("open", "closed 1000");
  }

  @Test
  void forgetsAWebSocketThatCouldNotBeOpened() {
    var unused = open(EXEC);
    opening.completeExceptionally(new IllegalStateException("403"));
    assertThat(fence.underWay).isEmpty();
  }

  /** Who stands by must see what happens. */
  @Test
  void letsWatchesThroughAlways() {
    fence.close();
    var unused = open(WATCH);
    opened();
    assertThat(heard).containsExactly("open");
  }
}
