// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.MalformedObjectException;
import dev.windlass.trouble.Advice;
import dev.windlass.trouble.NoAnswer;
import java.io.ByteArrayOutputStream;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A response that is an error, while its body arrives; and what errors of the transport mean. */
final class HttpFailure {

  /** The most that is read of an error's body; a {@code Status} is far smaller. */
  private static final int MAX_BODY = 64 * 1024;

  private final int code;
  private final Duration retryAfter;
  private final Body body = new Body();
  private final FrameParser reader;

  /** Whether the body is not packed as it says, so that the rest of it means nothing. */
  private boolean damaged;

  /** The bytes of the body, of which characters may come in pieces. */
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
   * A response whose body is still to come.
   *
   * @param code HTTP status code
   * @param header gives the headers of the response; null for one that it does not have
   */
  HttpFailure(int code, Function<String, @Nullable String> header) {
    this.code = code;
    this.retryAfter = retryAfter(header.apply("Retry-After"), header.apply("Date"));
    this.reader = Gunzip.isNeeded(header.apply("Content-Encoding")) ? new Gunzip(body) : body;
  }

  /** Takes the next bytes of the body. */
  void accept(ByteBuffer buffer) {
    if (damaged) {
      return;
    }
    try {
      reader.accept(buffer, event -> {});
    } catch (MalformedObjectException e) {
      damaged = true; // the code says enough
    }
  }

  /** What the whole response says. */
  FeedFailure failure() {
    close();
    try {
      return StatusBody.parse(FeedEvent.Json.of(body.bytes.toByteArray()))
          .failure(code, retryAfter);
    } catch (MalformedObjectException e) {
      // Not every error has a Status as its body; the code says enough.
      return FeedFailure.ofStatus(code, "", retryAfter);
    }
  }

  /** Frees what is needed to read the body. Repeatable; no bytes may follow. */
  void close() {
    damaged = true;
    reader.close();
  }

  private static Duration retryAfter(@Nullable String value, @Nullable String now) {
    if (value == null) {
      return Duration.ZERO;
    }
    try {
      Duration asked =
          value.matches("[0-9]+")
              ? Duration.ofSeconds(Long.parseLong(value))
              : Duration.between(httpDate(now), httpDate(value));
      return asked.isNegative() ? Duration.ZERO : asked;
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      return Duration.ZERO; // neither seconds nor a date
    }
  }

  /** A date is compared with the response's own, so that nobody's clock matters. */
  private static ZonedDateTime httpDate(@Nullable String text) {
    return ZonedDateTime.parse(text == null ? "" : text, DateTimeFormatter.RFC_1123_DATE_TIME);
  }

  /** Netty has a subclass for a connection that takes too long. */
  private static boolean isRefusal(Throwable cause) {
    return cause.getClass() == ConnectException.class;
  }

  /** The failure of a request that got no answer, or only a part of it. */
  static FeedFailure ofTransport(Throwable failure) {
    Optional<String> untrusted = NoAnswer.tlsFailure(failure);
    if (untrusted.isPresent()) {
      return FeedFailure.of(FeedFailure.Reason.TLS, untrusted.get());
    }
    Throwable root = failure;
    boolean refused = isRefusal(root);
    boolean timedOut = root instanceof HttpTimeoutException;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
      refused |= isRefusal(root);
      timedOut |= root instanceof HttpTimeoutException;
    }
    String message = root.getMessage() == null ? "" : ": " + root.getMessage();
    return new FeedFailure(
        refused && !timedOut
            ? FeedFailure.Reason.CONNECTION_REFUSED
            : FeedFailure.Reason.UNREACHABLE,
        root.getClass().getSimpleName() + message,
        Duration.ZERO,
        Advice.of(NoAnswer.of(failure)));
  }
}
