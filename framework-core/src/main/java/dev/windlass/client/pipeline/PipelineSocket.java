// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import dev.windlass.scheduling.FatalErrors;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens WebSockets through a {@link Pipeline}. Exec, attach and port-forward act on the cluster
 * like writes, so they must pass the fence, and when it closes, it also closes open WebSockets.
 * Watches are reads. The {@link RequestListener} learns of the handshake.
 */
final class PipelineSocket implements WebSocket.Builder {

  /** The close code "going away" (RFC 6455). */
  private static final int GOING_AWAY = 1001;

  /** The close code "normal closure" (RFC 6455). */
  private static final int NORMAL = 1000;

  /** The status of a handshake that has succeeded (RFC 6455). */
  private static final int SWITCHING_PROTOCOLS = 101;

  private final Pipeline pipeline;
  private final List<Consumer<WebSocket.Builder>> settings = new ArrayList<>();
  private @Nullable URI uri;

  PipelineSocket(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  @Override
  public CompletableFuture<WebSocket> buildAsync(WebSocket.Listener listener) {
    boolean reads = isWatch(uri);
    Fence fence = reads ? Fence.OPEN : pipeline.fence();
    CompletableFuture<WebSocket> result = new CompletableFuture<>();
    open(fence, reads, listener, result, true);
    return result;
  }

  private void open(
      Fence fence,
      boolean reads,
      WebSocket.Listener user,
      CompletableFuture<WebSocket> result,
      boolean first) {
    Attempt attempt = pipeline.attempt(fence, reads);
    Cuttable cuttable = new Cuttable(user);
    RequestListener.Answered listener = RequestListener.Answered.IGNORED;
    CompletableFuture<WebSocket> opening;
    try {
      fence.check();
      cuttable.action = fence.pass(cuttable::cut);
      listener = pipeline.sending(handshake());
      HttpClient transport = pipeline.transport(attempt);
      WebSocket.Builder builder = transport.newWebSocketBuilder();
      settings.forEach(setting -> setting.accept(builder));
      opening = builder.buildAsync(cuttable);
    } catch (RuntimeException | Error e) {
      opening = CompletableFuture.failedFuture(e);
    }
    RequestListener.Answered listening = listener;
    var unused =
        opening.whenComplete(
            (socket, failure) -> {
              Pipeline.answered(listening, code(socket, failure), null);
              if (socket != null) {
                if (!result.complete(socket)) {
                  socket.sendClose(NORMAL, "the caller no longer waits");
                }
                return;
              }
              cuttable.end();
              if (first && attempt.hasOtherCredentials() && !result.isDone()) {
                open(fence, reads, user, result, false);
              } else {
                result.completeExceptionally(failure);
              }
            });
  }

  private HttpRequest handshake() {
    return new StandardHttpRequest(Map.of(), uri, "GET", null);
  }

  /** Returns the status of the handshake, or 0 if the server has not responded. */
  private static int code(@Nullable WebSocket socket, @Nullable Throwable failure) {
    if (socket != null) {
      return SWITCHING_PROTOCOLS;
    }
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause instanceof WebSocketHandshakeException refused && refused.getResponse() != null
        ? refused.getResponse().code()
        : 0;
  }

  private static boolean isWatch(@Nullable URI uri) {
    String query = uri == null ? null : uri.getQuery();
    return query != null && ("&" + query + "&").contains("&watch=true&");
  }

  private PipelineSocket set(Consumer<WebSocket.Builder> setting) {
    settings.add(setting);
    return this;
  }

  @Override
  public WebSocket.Builder uri(URI other) {
    uri = other;
    return set(builder -> builder.uri(other));
  }

  @Override
  public WebSocket.Builder subprotocol(String protocol) {
    return set(builder -> builder.subprotocol(protocol));
  }

  @Override
  public WebSocket.Builder header(String name, String value) {
    return set(builder -> builder.header(name, value));
  }

  @Override
  public WebSocket.Builder setHeader(String name, String value) {
    return set(builder -> builder.setHeader(name, value));
  }

  @Override
  public WebSocket.Builder connectTimeout(long timeout, TimeUnit unit) {
    return set(builder -> builder.connectTimeout(timeout, unit));
  }

  /**
   * Forwards the events of a WebSocket to the user's listener until the fence closes the WebSocket.
   */
  private final class Cuttable implements WebSocket.Listener {
    private final WebSocket.Listener user;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Fence.@Nullable Action action;
    private volatile @Nullable WebSocket open;
    private volatile boolean cut;

    Cuttable(WebSocket.Listener user) {
      this.user = user;
    }

    /**
     * Closes the WebSocket after the fence has closed. The user's listener is notified immediately,
     * even if the server does not respond. A separate thread notifies the listener, because the
     * elector must not wait for the listener.
     */
    void cut() {
      cut = true;
      WebSocket socket = open;
      if (socket == null) {
        return; // the socket is closed as soon as it is open
      }
      if (end()) {
        LeadershipLostException why =
            new LeadershipLostException(
                "the connection was cut because this replica no longer leads");
        Thread teller = pipeline.thread(() -> user.onError(socket, why));
        teller.setName("leader-cut");
        teller.setDaemon(true);
        FatalErrors.start(teller);
        socket.sendClose(GOING_AWAY, "this replica no longer leads");
      }
    }

    /**
     * Ends the action.
     *
     * @return whether the WebSocket was still open
     */
    boolean end() {
      Fence.Action passed = action;
      if (passed != null) {
        passed.ended();
      }
      return over.compareAndSet(false, true);
    }

    @Override
    public void onOpen(WebSocket socket) {
      open = socket;
      if (cut) {
        cut();
      } else {
        user.onOpen(socket);
      }
    }

    @Override
    public void onMessage(WebSocket socket, String text) {
      if (!over.get()) {
        user.onMessage(socket, text);
      }
    }

    @Override
    public void onMessage(WebSocket socket, ByteBuffer bytes) {
      if (!over.get()) {
        user.onMessage(socket, bytes);
      }
    }

    @Override
    public void onClose(WebSocket socket, int code, String reason) {
      if (end()) {
        user.onClose(socket, code, reason);
      }
    }

    @Override
    public void onError(WebSocket socket, Throwable failure) {
      if (end()) {
        user.onError(socket, failure);
      }
    }
  }
}
