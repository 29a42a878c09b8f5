// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.MalformedObjectException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP response, pulled piece by piece.
 *
 * <p>Transport threads put what happens into the inbox and wake the reader; everything else is done
 * by the thread that polls. Pieces are asked for ahead of the reader, so that the network and the
 * parser work at the same time, but only up to {@link #READ_AHEAD}: a slow reader slows the server
 * down, and memory stays bounded.
 */
@SuppressWarnings("FutureReturnValueIgnored") // callbacks that signal; nobody waits for them
final class HttpFeedStream implements FeedStream {

  /** The most that is read of an error's body; a {@code Status} is far smaller. */
  private static final int MAX_ERROR = 64 * 1024;

  /** So many bytes may have arrived and not been read before no more are asked for. */
  private static final int READ_AHEAD = 256 * 1024;

  /** What transport threads leave behind for the reader. */
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

  /** The answer is over, read or not, and its connection may be somebody else's by now. */
  private volatile boolean done;

  private final AtomicInteger unread = new AtomicInteger();

  /** Whether the next piece has not been asked for, because there is enough to read. */
  private final AtomicBoolean paused = new AtomicBoolean();

  // Read and written by the polling thread only.
  private @Nullable AsyncBody body;
  private int failedStatus;
  private Duration retryAfter = Duration.ZERO;
  private final StringBuilder error = new StringBuilder();
  private boolean ended;

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
      stream.signal(new Signal.Done(e)); // a closed client throws instead of failing the future
    }
    return stream;
  }

  private void bytesArrived(List<ByteBuffer> buffers, AsyncBody from) {
    int size = 0;
    for (ByteBuffer buffer : buffers) {
      size += buffer.remaining();
    }
    boolean enough = unread.addAndGet(size) >= READ_AHEAD;
    signal(new Signal.Bytes(buffers, size));
    if (!enough) {
      from.consume();
      return;
    }
    paused.set(true);
    goOn(from); // the reader may have caught up before it could see that
  }

  /** Asks for the next piece if that was put off and there is room again. */
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
      arrived.body().cancel(); // close() came first and found no body to cancel
      return;
    }
    // The headers first: a body that is over already would be read as a success without content.
    signal(new Signal.Headers(arrived));
    arrived
        .body()
        .done()
        .whenComplete(
            (nothing, e) -> {
              done = true;
              signal(new Signal.Done(e));
            });
    arrived.body().consume(); // not only when somebody polls: else nobody learns that it is over
  }

  private void signal(Signal signal) {
    if (!closed) {
      inbox.add(signal);
      wakeUp.run();
    }
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
        if (failedStatus != 0) {
          keepError(buffer);
        } else {
          parser.accept(buffer, events::add);
        }
      }
      unread.addAndGet(-bytes.size());
      AsyncBody open = body;
      if (open != null) {
        goOn(open);
      }
    } else if (signal instanceof Signal.Done done) {
      readEnd(done.failure());
    }
  }

  private void readHeaders(HttpResponse<AsyncBody> response) {
    body = response.body();
    if (!response.isSuccessful()) {
      failedStatus = response.code();
      retryAfter = retryAfter(response);
    } else {
      if ("gzip".equalsIgnoreCase(response.header("Content-Encoding"))) {
        parser = new Gunzip(parser);
      }
      events.add(new FeedEvent.Opened());
    }
  }

  private void readEnd(@Nullable Throwable failure) {
    body = null;
    ended = true;
    if (failedStatus != 0) {
      end(statusFailure());
    } else if (failure != null) {
      end(FeedFailure.of(FeedFailure.Reason.UNREACHABLE, rootMessage(failure)));
    } else {
      events.add(parser.end());
    }
  }

  private void end(FeedFailure failure) {
    events.add(new FeedEvent.Failed(failure));
    close();
  }

  private void keepError(ByteBuffer buffer) {
    byte[] bytes = new byte[Math.min(buffer.remaining(), MAX_ERROR - error.length())];
    buffer.get(bytes);
    error.append(new String(bytes, StandardCharsets.UTF_8));
  }

  private FeedFailure statusFailure() {
    try {
      return StatusBody.parse(FeedEvent.Json.of(error.toString()))
          .failure(failedStatus, retryAfter);
    } catch (MalformedObjectException e) {
      // Not every error has a Status as its body; the code says enough.
      return FeedFailure.ofStatus(failedStatus, "", retryAfter);
    }
  }

  private static Duration retryAfter(HttpResponse<?> response) {
    String value = response.header("Retry-After");
    if (value == null) {
      return Duration.ZERO;
    }
    try {
      Duration asked =
          value.matches("[0-9]+")
              ? Duration.ofSeconds(Long.parseLong(value))
              : Duration.between(httpDate(response.header("Date")), httpDate(value));
      return asked.isNegative() ? Duration.ZERO : asked;
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return Duration.ZERO; // neither seconds nor a date
    }
  }

  /** A date is compared with the response's own, so that nobody's clock matters. */
  private static ZonedDateTime httpDate(@Nullable String text) {
    return ZonedDateTime.parse(text == null ? "" : text, DateTimeFormatter.RFC_1123_DATE_TIME);
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName()
        + (root.getMessage() == null ? "" : ": " + root.getMessage());
  }

  @Override
  public void close() {
    closed = true;
    CompletableFuture<HttpResponse<AsyncBody>> pending = response;
    if (!done && !ended) { // cancelling what is over would close the connection under the next
      if (body != null) {
        body.cancel();
      } else if (pending != null) {
        // Headers may arrive at this very moment; headersArrived cancels their body then.
        pending.whenComplete((arrived, e) -> cancel(arrived));
        pending.cancel(true);
      }
    }
    ended = true;
    inbox.clear();
    parser.close();
  }

  private static void cancel(@Nullable HttpResponse<AsyncBody> arrived) {
    if (arrived != null) {
      arrived.body().cancel();
    }
  }
}
