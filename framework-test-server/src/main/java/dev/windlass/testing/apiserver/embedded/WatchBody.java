// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.apiserver.embedded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.windlass.testing.apiserver.embedded.TransportHook.WatchedEvent;
import dev.windlass.testing.apiserver.embedded.objects.Json;
import dev.windlass.testing.apiserver.embedded.reads.WatchSession;
import dev.windlass.testing.apiserver.embedded.requests.RecordedRequest;
import dev.windlass.testing.apiserver.embedded.threads.Background;
import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The response body of a watch on an in-memory connection. Each event is delivered by a separate
 * task, so that a test can run other tasks between two deliveries.
 */
final class WatchBody implements AsyncBody {

  private static final byte[] NEWLINE = {'\n'};

  /** Receives the parts of the body. */
  @FunctionalInterface
  interface Consumer {
    void accept(List<ByteBuffer> bytes, AsyncBody body) throws Exception;
  }

  private final RecordedRequest request;
  private final WatchSession session;
  private final TransportHook hook;
  private final Background deliveries;
  private final Consumer consumer;
  private final java.util.function.Consumer<WatchBody> onClose;
  private final Runnable listener = this::deliverSoon;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /** Whether the client has called {@link #consume} and has not received an event since then. */
  @GuardedBy("this")
  private boolean wanted;

  /** Whether a delivery is scheduled. */
  @GuardedBy("this")
  private boolean scheduled;

  @GuardedBy("this")
  private boolean closed;

  /** The events that the hook has held back; empty if there are none. */
  @GuardedBy("this")
  private Optional<WatchSession.Batch> held = Optional.empty();

  @GuardedBy("this")
  private Runnable onEnd = () -> {};

  WatchBody(
      RecordedRequest request,
      WatchSession session,
      TransportHook hook,
      Background deliveries,
      Consumer consumer,
      java.util.function.Consumer<WatchBody> onClose) {
    this.request = request;
    this.session = session;
    this.hook = hook;
    this.deliveries = deliveries;
    this.consumer = consumer;
    this.onClose = onClose;
    session.listen(listener);
  }

  synchronized void onEnd(Runnable action) {
    onEnd = action;
  }

  @Override
  public void consume() {
    synchronized (this) {
      wanted = true;
    }
    deliverSoon();
  }

  /**
   * Schedules a delivery if the client is waiting for an event and no delivery is scheduled yet.
   * The caller can hold the store's lock.
   */
  void deliverSoon() {
    synchronized (this) {
      if (!wanted || scheduled || closed) {
        return;
      }
      scheduled = true;
    }
    deliveries.run(this::deliver);
  }

  private void deliver() {
    Optional<WatchSession.Batch> batch = next();
    if (batch.isEmpty()) {
      return;
    }
    List<ObjectNode> events = batch.get().events();
    if (!events.isEmpty() && !hook.delivers(request, described(events.get(0)))) {
      synchronized (this) {
        held = batch;
      }
      return;
    }
    if (!events.isEmpty()) {
      synchronized (this) {
        wanted = false;
      }
      try {
        consumer.accept(
            List.of(ByteBuffer.wrap(Json.bytes(events.get(0))), ByteBuffer.wrap(NEWLINE)), this);
      } catch (Exception e) { // any exception from the client ends its stream
        fail(String.valueOf(e));
        return;
      }
    }
    if (batch.get().cut()) {
      fail("the connection was cut");
    } else if (batch.get().end()) {
      close();
      done.complete(null);
    } else {
      deliverSoon();
    }
  }

  /**
   * Returns the next batch, which contains at most one event. Returns empty if there is no batch or
   * the client is not waiting for an event.
   */
  private Optional<WatchSession.Batch> next() {
    synchronized (this) {
      scheduled = false;
      if (closed || !wanted) {
        return Optional.empty();
      }
      if (held.isPresent()) {
        Optional<WatchSession.Batch> next = held;
        held = Optional.empty();
        return next;
      }
    }
    return session.poll(1);
  }

  private static WatchedEvent described(ObjectNode event) {
    var metadata = event.path("object").path("metadata");
    return new WatchedEvent(
        event.path("type").asText(),
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("resourceVersion").asText());
  }

  /** Ends the stream with a connection failure. */
  void fail(String why) {
    close();
    done.completeExceptionally(new IOException(why));
  }

  @Override
  public CompletableFuture<Void> done() {
    return done;
  }

  @Override
  public void cancel() {
    close();
    done.cancel(false);
  }

  private void close() {
    Runnable end;
    synchronized (this) {
      closed = true;
      end = onEnd;
      onEnd = () -> {};
    }
    session.forget(listener);
    end.run();
    onClose.accept(this);
  }
}
