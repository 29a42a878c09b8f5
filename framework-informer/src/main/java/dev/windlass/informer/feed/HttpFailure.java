// SPDX-License-Identifier: Apache-2.0
package dev.windlass.informer.feed;

import dev.windlass.object.MalformedObjectException;
import dev.windlass.trouble.Advice;
import dev.windlass.trouble.NoAnswer;
import java.net.ConnectException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A response that is an error, while its body arrives; and what errors of the transport mean. */
final class HttpFailure {

  /** The most that is read of an error's body; a {@code Status} is far smaller. */
  private static final int MAX_BODY = 64 * 1024;

  private final int code;
  private final Duration retryAfter;
  private final StringBuilder body = new StringBuilder();

  /**
   * A response whose body is still to come.
   *
   * @param code HTTP status code
   * @param retryAfter the header of that name, if there is one
   * @param date the header of that name, if there is one
   */
  HttpFailure(int code, @Nullable String retryAfter, @Nullable String date) {
    this.code = code;
    this.retryAfter = retryAfter(retryAfter, date);
  }

  /** Takes the next bytes of the body. */
  void accept(ByteBuffer buffer) {
    byte[] bytes = new byte[Math.min(buffer.remaining(), MAX_BODY - body.length())];
    buffer.get(bytes);
    body.append(new String(bytes, StandardCharsets.UTF_8));
  }

  /** What the whole response says. */
  FeedFailure failure() {
    try {
      return StatusBody.parse(FeedEvent.Json.of(body.toString())).failure(code, retryAfter);
    } catch (MalformedObjectException e) {
      // Not every error has a Status as its body; the code says enough.
      return FeedFailure.ofStatus(code, "", retryAfter);
    }
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

  /** The failure of a request that got no answer, or only a part of it. */
  static FeedFailure ofTransport(Throwable failure) {
    Optional<String> untrusted = NoAnswer.tlsFailure(failure);
    if (untrusted.isPresent()) {
      return FeedFailure.of(FeedFailure.Reason.TLS, untrusted.get());
    }
    Throwable root = failure;
    boolean refused = root instanceof ConnectException;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
      refused |= root instanceof ConnectException;
    }
    String message = root.getMessage() == null ? "" : ": " + root.getMessage();
    return new FeedFailure(
        refused ? FeedFailure.Reason.CONNECTION_REFUSED : FeedFailure.Reason.UNREACHABLE,
        root.getClass().getSimpleName() + message,
        Duration.ZERO,
        Advice.of(NoAnswer.of(failure)));
  }
}
