// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.http.AsyncBody;
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

/** The steps of a request, over a transport that the test answers for. */
@Timeout(30)
final class PipelineTest {

  private static final URI EXEC =
      URI.create("https://server/api/v1/namespaces/default/pods/a/exec?command=ls");
  private static final URI WATCH =
      URI.create("https://server/api/v1/namespaces/default/pods?watch=true");

  private final List<CompletableFuture<Object>> sent = new ArrayList<>();
  private final List<String> steps = new ArrayList<>();
  private final List<String> closes = new ArrayList<>();
  private final List<String> heard = new ArrayList<>();
  private WebSocket.@Nullable Listener listener;
  private CompletableFuture<WebSocket> opening = new CompletableFuture<>();
  private int opened;
  private final List<Attempt> attempts = new ArrayList<>();

  private final TestFence fence =
      new TestFence() {
        @Override
        public Action pass(Runnable cut) {
          steps.add("fence");
          Action action = super.pass(cut);
          return () -> {
            steps.add("end");
            action.ended();
          };
        }
      };

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
              return builder();
            }
            steps.add("transport");
            CompletableFuture<Object> answer = new CompletableFuture<>();
            sent.add(answer);
            return answer;
          });

  private HttpClient.DerivedClientBuilder builder() {
    return proxy(
        HttpClient.DerivedClientBuilder.class,
        (proxy, method, arguments) -> {
          if (method.getName().equals("build")) {
            return transport;
          }
          if (arguments[0] instanceof Attempt attempt) {
            attempts.add(attempt);
          }
          return proxy;
        });
  }

  private final WriteHook writes =
      write -> {
        steps.add("hook");
        return new WriteHook.Sent() {
          @Override
          public void ended(WriteResponse response) {
            steps.add("hook " + response.code() + " " + new String(response.body(), UTF_8));
          }

          @Override
          public void refused() {
            steps.add("hook refused");
          }

          @Override
          public void abandoned() {
            steps.add("hook abandoned");
          }
        };
      };

  private final RequestListener requests =
      request -> {
        steps.add("listener");
        return (code, bytes) -> steps.add("listener " + code + " " + bytes);
      };

  /** Its threads run at once: the test is told by whoever closes the fence. */
  private final Pipeline client =
      Pipeline.of(
              builder(),
              "/",
              new Pipeline.Hooks(
                  writes,
                  requests,
                  task ->
                      new Thread() {
                        @Override
                        public synchronized void start() {
                          task.run();
                        }
                      }))
          .fenced(writer -> fence);

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static Object response(int code, Object body) {
    return proxy(
        HttpResponse.class,
        (proxy, method, arguments) -> method.getName().equals("code") ? (Object) code : body);
  }

  private static Object success() {
    return response(200, "{}".getBytes(UTF_8));
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
  void takesAWriteThroughEachStepInThisOrder() {
    CompletableFuture<?> put =
        client.sendAsync(request("PUT"), byte[].class).thenRun(() -> steps.add("caller"));
    assertThat(steps).containsExactly("fence", "hook", "listener", "transport");
    steps.clear();
    sent.get(0).complete(success());
    assertThat(steps).containsExactly("listener 200 2", "hook 200 {}", "end", "caller");
    assertThat(put).isCompleted();
  }

  @Test
  void takesAReadThroughTheListenerAndTheTransport() {
    var unused = client.sendAsync(request("GET"), byte[].class);
    sent.get(0).complete(success());
    assertThat(steps).containsExactly("listener", "transport", "listener 200 2");
  }

  @Test
  void notesAFailedWriteUntilItHasEnded() {
    var unusedPut = client.sendAsync(request("PUT"), byte[].class);
    var unusedDelete = client.sendAsync(request("DELETE"), byte[].class);
    assertThat(fence.underWay).hasSize(2);
    sent.get(0).complete(success());
    sent.get(1).completeExceptionally(new IllegalStateException("reset"));
    assertThat(fence.underWay).isEmpty();
    assertThat(steps).contains("listener 0 -1", "hook 0 ");
  }

  @Test
  void refusesAWriteBehindAClosedFenceBeforeAnythingElse() {
    fence.close();
    assertThatThrownBy(() -> client.sendAsync(request("PUT"), byte[].class))
        .isInstanceOf(LeadershipLostException.class);
    assertThat(steps).isEmpty();
  }

  /** The fence may close while the credentials are fetched, and the interceptors say so. */
  @Test
  void tellsTheHookOfAWriteThatWasRefusedAtTheHandOver() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    sent.get(0).completeExceptionally(new CompletionException(new LeadershipLostException("late")));
    assertThat(steps).endsWith("hook refused", "end");
    assertThatThrownBy(put::join).hasCauseInstanceOf(LeadershipLostException.class);
  }

  /** The request is on the wire: until it has ended, neither the lease nor a cache may move on. */
  @Test
  void notesAWriteWhoseCallerHasGivenUpUntilItHasEnded() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    put.cancel(true);
    assertThat(steps).endsWith("hook abandoned");
    assertThat(sent.get(0)).isNotDone();
    assertThat(fence.underWay).hasSize(1);
    sent.get(0).complete(success());
    assertThat(steps).endsWith("hook 200 {}", "end");
  }

  @Test
  void cancelsAReadWhoseCallerHasGivenUp() {
    client.sendAsync(request("GET"), byte[].class).cancel(true);
    assertThat(sent.get(0)).isCancelled();
  }

  /** Nobody knows what it has done. */
  @Test
  void reportsTheEndOfAStreamedWriteAndReleasesItsConnection() {
    List<String> discarded = new ArrayList<>();
    var put = client.consumeBytes(request("PUT"), (value, body) -> {});
    put.cancel(true);
    sent.get(0)
        .complete(
            response(
                200,
                proxy(AsyncBody.class, (proxy, method, none) -> discarded.add(method.getName()))));
    assertThat(steps).endsWith("hook 0 ", "end");
    assertThat(discarded).containsExactly("cancel");
  }

  /** The server has rejected the credentials of the last attempt, and there are others. */
  private void rejected(CompletableFuture<Object> request) {
    attempts.get(attempts.size() - 1).noteOtherCredentials();
    request.complete(response(401, "no".getBytes(UTF_8)));
  }

  @Test
  void beginsOnceAgainAtTheFenceIfThereAreOtherCredentials() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    steps.clear();
    rejected(sent.get(0));
    assertThat(steps)
        .containsExactly(
            "listener 401 2", "hook 401 no", "end", "fence", "hook", "listener", "transport");
    assertThat(put).isNotDone();
    rejected(sent.get(1));
    assertThat(sent).hasSize(2);
    assertThat(put.join().code()).isEqualTo(401);
    assertThat(fence.underWay).isEmpty();
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
  void repeatsNoWriteBehindAClosedFence() {
    var put = client.sendAsync(request("PUT"), byte[].class);
    fence.close();
    rejected(sent.get(0));
    assertThat(sent).hasSize(1);
    assertThatThrownBy(put::join).hasCauseInstanceOf(LeadershipLostException.class);
  }

  private void rejectedSocket(CompletableFuture<WebSocket> handshake) {
    attempts.get(attempts.size() - 1).noteOtherCredentials();
    handshake.completeExceptionally(new IllegalStateException("401"));
  }

  @Test
  void opensAWebSocketAgainIfThereAreOtherCredentials() {
    var exec = open(EXEC);
    CompletableFuture<WebSocket> first = opening;
    opening = new CompletableFuture<>();
    rejectedSocket(first);
    assertThat(opened).isEqualTo(2);
    assertThat(fence.underWay).hasSize(1);
    opened();
    assertThat(exec).isCompletedWithValue(socket);
    assertThat(heard).containsExactly("open");
    assertThat(steps)
        .containsExactly(
            "fence", "listener", "listener 0 -1", "end", "fence", "listener", "listener 101 -1");
  }

  @Test
  void opensNoWebSocketAgainBehindAClosedFence() {
    var exec = open(EXEC);
    fence.close();
    rejectedSocket(opening);
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
