// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.informer.reflector.FeedStream;
import dev.windlass.object.MalformedObjectException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads one HTTP response in chunks, as it arrives.
 *
 * <p>Transport threads put signals into an inbox and wake the reader, which is the thread that
 * calls {@link #poll}. The reader performs all other work. This class requests chunks in advance,
 * so that the network and the parser work in parallel. While at least {@link #READ_AHEAD} bytes are
 * unread, this class does not request further chunks. A slow reader therefore slows down the
 * server, and memory use remains limited.
 */
@SuppressWarnings("FutureReturnValueIgnored") // callbacks only signal, and nothing waits for them
final class HttpFeedStream implements FeedStream {

  /** The number of unread bytes at which this class stops requesting further chunks: 256 KiB. */
  private static final int READ_AHEAD = 256 * 1024;

  /** A signal from a transport thread to the reader. */
  private sealed interface Signal {
    record Headers(HttpResponse<AsyncBody> response) implements Signal {}

    record Bytes(List<ByteBuffer> buffers, int size) implements Signal {}

    record Done(@Nullable Throwable failure) implements Signal {}
  }

  private final ConcurrentLinkedQueue<Signal> inbox = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<FeedEvent> events = new ArrayDeque<>();
  private FrameParser parser;
  private final Runnable wakeUp;

  private volatile @Nullable CompletableFuture<HttpResponse<AsyncBody>> response;
  private volatile boolean closed;

  /**
   * Whether the response has ended, even if it has not been read yet. The connection may then
   * already serve another request.
   */
  private volatile boolean done;

  private final AtomicInteger unread = new AtomicInteger();

  /** Whether the request for the next chunk is postponed because too many bytes are unread. */
  private final AtomicBoolean paused = new AtomicBoolean();

  // The following fields are read and written by the polling thread only.
  private @Nullable AsyncBody body;
  private @Nullable HttpFailure error;
  private boolean ended;

  /** Whether a failure has been added to {@code events}. No event is added after a failure. */
  private boolean failed;

  private HttpFeedStream(FrameParser parser, Runnable wakeUp) {
    this.parser = parser;
    this.wakeUp = wakeUp;
  }

  static HttpFeedStream open(
      HttpClient http, HttpRequest request, FrameParser parser, Runnable wakeUp) {
    HttpFeedStream stream = new HttpFeedStream(parser, wakeUp);
    try {
      CompletableFuture<HttpResponse<AsyncBody>> response =
          http.consumeBytes(request, stream::bytesArrived);
      stream.response = response;
      response.whenComplete(stream::headersArrived);
    } catch (RuntimeException e) {
      stream.signal(new Signal.Done(e)); // a closed client throws and does not fail the future
    }
    return stream;
  }

  private void bytesArrived(List<ByteBuffer> buffers, AsyncBody from) {
    int size = 0;
    for (ByteBuffer buffer : buffers) {
      size += buffer.remaining();
    }
    if (closed) {
      return;
    }
    inbox.add(new Signal.Bytes(buffers, size));
    // This must come last, because a reader that saw an empty inbox depends on the wake-up.
    int before = unread.getAndAdd(size);
    if (before == 0) {
      wakeUp.run(); // if there are unread bytes, the reader is already awake
    }
    if (before + size < READ_AHEAD) {
      from.consume();
      return;
    }
    paused.set(true);
    goOn(from); // the reader may have read everything before it saw the pause
  }

  /** Requests the next chunk if its request was postponed and enough bytes have been read. */
  private void goOn(AsyncBody from) {
    if (unread.get() < READ_AHEAD && paused.compareAndSet(true, false)) {
      from.consume();
    }
  }

  private void headersArrived(
      @Nullable HttpResponse<AsyncBody> arrived, @Nullable Throwable failure) {
    if (arrived == null) {
      signal(new Signal.Done(failure));
      return;
    }
    if (closed) {
      arrived.body().cancel(); // close() was called earlier, and there was no body to cancel
      return;
    }
    // The headers must come first. Otherwise a body that has already ended would be read as a
    // success without content.
    signal(new Signal.Headers(arrived));
    arrived
        .body()
        .done()
        .whenComplete(
            (nothing, e) -> {
              done = true;
              signal(new Signal.Done(e));
            });
    // The first piece is requested without waiting for a poll. Otherwise the end of the body may
    // go unnoticed.
    arrived.body().consume();
  }

  private void signal(Signal signal) {
    if (!closed) {
      inbox.add(signal);
      wakeUp.run();
    }
  }

  private void take(FeedEvent event) {
    if (failed) {
      return;
    }
    events.add(event);
    failed = event.type() == FeedEvent.Type.FAILED;
  }

  @Override
  public Optional<FeedEvent> poll() {
    while (events.isEmpty() && !ended) {
      Signal signal = inbox.poll();
      if (signal == null) {
        return Optional.empty();
      }
      try {
        read(signal);
      } catch (MalformedObjectException e) {
        end(FeedFailure.of(FeedFailure.Reason.MALFORMED, String.valueOf(e.getMessage())));
      }
    }
    return Optional.ofNullable(events.poll());
  }

  private void read(Signal signal) {
    if (signal instanceof Signal.Headers headers) {
      readHeaders(headers.response());
    } else if (signal instanceof Signal.Bytes bytes) {
      for (ByteBuffer buffer : bytes.buffers()) {
        if (error != null) {
          error.accept(buffer);
        } else {
          parser.accept(buffer, this::take);
        }
      }
      unread.addAndGet(-bytes.size());
      AsyncBody open = body;
      if (open != null && paused.get()) {
        goOn(open);
      }
    } else if (signal instanceof Signal.Done done) {
      readEnd(done.failure());
    }
  }

  private void readHeaders(HttpResponse<AsyncBody> response) {
    body = response.body();
    if (!response.isSuccessful()) {
      error = new HttpFailure(response.code(), response::header);
    } else {
      if (Gunzip.isNeeded(response.header("Content-Encoding"))) {
        parser = new Gunzip(parser);
      }
      events.add(new FeedEvent.Opened());
    }
  }

  private void readEnd(@Nullable Throwable failure) {
    body = null;
    ended = true;
    if (error != null) {
      end(error.failure());
    } else if (failure != null) {
      end(HttpFailure.ofTransport(failure));
    } else {
      take(parser.end());
    }
  }

  private void end(FeedFailure failure) {
    take(new FeedEvent.Failed(failure));
    close();
  }

  @Override
  public void close() {
    closed = true;
    CompletableFuture<HttpResponse<AsyncBody>> pending = response;
    if (!done && !ended) { // a late cancellation would close the connection of the next request
      if (body != null) {
        body.cancel();
      } else if (pending != null) {
        // Headers may arrive at this moment. In that case, headersArrived cancels their body.
        pending.whenComplete((arrived, e) -> cancel(arrived));
        pending.cancel(true);
      }
    }
    ended = true;
    inbox.clear();
    parser.close();
    if (error != null) {
      error.close();
    }
  }

  private static void cancel(@Nullable HttpResponse<AsyncBody> arrived) {
    if (arrived != null) {
      arrived.body().cancel();
    }
  }
}
