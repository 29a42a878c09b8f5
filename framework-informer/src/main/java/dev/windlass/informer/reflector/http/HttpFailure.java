// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.reflector.http;

import dev.windlass.failure.CauseChain;
import dev.windlass.failure.ErrorResponse;
import dev.windlass.failure.FailureAdvice;
import dev.windlass.failure.RetryAfter;
import dev.windlass.failure.TransportFailure;
import dev.windlass.informer.reflector.FeedEvent;
import dev.windlass.informer.reflector.FeedFailure;
import dev.windlass.object.MalformedObjectException;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads an error response while its body arrives, and classifies failures of the HTTP transport.
 */
public final class HttpFailure {

  /**
   * The maximum number of bytes read from the body of an error response: 64 KiB. The JSON of a
   * {@code Status} is far smaller.
   */
  private static final int MAX_BODY = 64 * 1024;

  private final int code;
  private final Duration retryAfter;
  private final Body body = new Body();
  private final FrameParser reader;

  /**
   * Whether further bytes are ignored. This is the case if the body could not be decompressed, or
   * if this instance is closed.
   */
  private boolean damaged;

  /**
   * Collects the bytes of the body. They are decoded only at the end, because a character can be
   * split between two chunks.
   */
  private static final class Body implements FrameParser {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void accept(ByteBuffer piece, Consumer<FeedEvent> events) {
      byte[] taken = new byte[Math.min(piece.remaining(), MAX_BODY - bytes.size())];
      piece.get(taken);
      bytes.writeBytes(taken);
    }

    @Override
    public FeedEvent end() {
      return new FeedEvent.Ended();
    }
  }

  /**
   * Creates an instance for an error response whose body has not arrived yet.
   *
   * @param code the HTTP status code
   * @param header a function that returns the value of a response header, or null if the response
   *     does not have this header
   */
  HttpFailure(int code, Function<String, @Nullable String> header) {
    this.code = code;
    this.retryAfter = RetryAfter.of(header.apply("Retry-After"), header.apply("Date"));
    this.reader = Gunzip.isNeeded(header.apply("Content-Encoding")) ? new Gunzip(body) : body;
  }

  void accept(ByteBuffer buffer) {
    if (damaged) {
      return;
    }
    try {
      reader.accept(buffer, event -> {});
    } catch (MalformedObjectException e) {
      damaged = true; // the status code is sufficient
    }
  }

  FeedFailure failure() {
    close();
    try {
      return StatusBody.parse(FeedEvent.Json.of(body.bytes.toByteArray()))
          .failure(code, retryAfter);
    } catch (MalformedObjectException e) {
      return FeedFailure.ofStatus(
          code, ErrorResponse.foreignText(body.bytes.toByteArray()), retryAfter);
    }
  }

  /**
   * Releases the resources for reading the body. The caller must not call {@link #accept}
   * afterwards. This method is idempotent.
   */
  void close() {
    damaged = true;
    reader.close();
  }

  /**
   * Returns whether the cause is a refused connection. Only the class {@link ConnectException}
   * itself indicates a refusal, because Netty uses a subclass to report a time-out.
   */
  private static boolean isRefusal(Throwable cause) {
    return cause.getClass() == ConnectException.class;
  }

  /**
   * Returns the failure of a request that ended with an exception before the response was complete.
   */
  public static FeedFailure ofTransport(Throwable failure) {
    Optional<String> untrusted = TransportFailure.tlsFailure(failure);
    if (untrusted.isPresent()) {
      return FeedFailure.of(FeedFailure.Reason.TLS, untrusted.get());
    }
    List<Throwable> causes = CauseChain.of(failure).toList();
    Throwable root = causes.get(causes.size() - 1);
    boolean refused = causes.stream().anyMatch(HttpFailure::isRefusal);
    boolean timedOut = causes.stream().anyMatch(HttpTimeoutException.class::isInstance);
    String message = root.getMessage() == null ? "" : ": " + root.getMessage();
    return new FeedFailure(
        refused && !timedOut
            ? FeedFailure.Reason.CONNECTION_REFUSED
            : FeedFailure.Reason.UNREACHABLE,
        root.getClass().getSimpleName() + message,
        Duration.ZERO,
        FailureAdvice.of(TransportFailure.of(failure)));
  }
}
