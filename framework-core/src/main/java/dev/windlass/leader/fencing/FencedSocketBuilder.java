// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import dev.windlass.client.transport.Repetition;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens WebSockets that must pass a fence. A closed fence rejects new WebSockets. When a fence
 * closes, it also closes open WebSockets. Watches always pass the fence, because they are reads. If
 * the server rejects the credentials and others are available, this class opens the WebSocket once
 * more, provided that the fence is still open and the caller still waits.
 */
final class FencedSocketBuilder implements WebSocket.Builder {

  /** The close code "going away" (RFC 6455). */
  private static final int GOING_AWAY = 1001;

  /** The close code "normal closure" (RFC 6455). */
  private static final int NORMAL = 1000;

  private final HttpClient client;
  private final Fence fence;
  private final ThreadFactory threads;
  private final List<Consumer<WebSocket.Builder>> settings = new ArrayList<>();
  private @Nullable URI uri;

  FencedSocketBuilder(HttpClient client, Fence fence, ThreadFactory threads) {
    this.client = client;
    this.fence = fence;
    this.threads = threads;
  }

  @Override
  public CompletableFuture<WebSocket> buildAsync(WebSocket.Listener listener) {
    if (isWatch(uri)) {
      return open(client, listener);
    }
    try {
      fence.check();
    } catch (LeadershipLostException e) {
      return CompletableFuture.failedFuture(e);
    }
    Cuttable cuttable = new Cuttable(listener, threads);
    cuttable.action = fence.pass(cuttable::cut);
    CompletableFuture<WebSocket> result = new CompletableFuture<>();
    Repeated.atMostOnce(
        open(FencedHttpClient.tagged(client, Repetition.BY_SENDER), cuttable),
        result,
        () -> {
          fence.check();
          return open(FencedHttpClient.tagged(client, Repetition.NEVER), cuttable);
        },
        (socket, failure) -> {
          if (socket == null) {
            cuttable.end();
            result.completeExceptionally(failure);
          } else if (!result.complete(socket)) {
            socket.sendClose(NORMAL, "the caller no longer waits");
          }
        });
    return result;
  }

  private CompletableFuture<WebSocket> open(HttpClient by, WebSocket.Listener listener) {
    WebSocket.Builder builder = by.newWebSocketBuilder();
    settings.forEach(setting -> setting.accept(builder));
    return builder.buildAsync(listener);
  }

  private FencedSocketBuilder set(Consumer<WebSocket.Builder> setting) {
    settings.add(setting);
    return this;
  }

  private static boolean isWatch(@Nullable URI uri) {
    String query = uri == null ? null : uri.getQuery();
    return query != null && ("&" + query + "&").contains("&watch=true&");
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
  private static final class Cuttable implements WebSocket.Listener {
    private final WebSocket.Listener user;
    private final ThreadFactory threads;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Fence.@Nullable Action action;
    private volatile @Nullable WebSocket open;
    private volatile boolean cut;

    Cuttable(WebSocket.Listener user, ThreadFactory threads) {
      this.user = user;
      this.threads = threads;
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
        Thread teller = threads.newThread(() -> user.onError(socket, why));
        teller.setName("leader-cut");
        teller.setDaemon(true);
        teller.start();
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
