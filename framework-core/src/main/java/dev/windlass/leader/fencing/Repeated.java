// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader.fencing;

import dev.windlass.client.WriterContext;
import dev.windlass.client.transport.Repetition;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Repeats a request whose credentials the server has rejected, if others are available. */
final class Repeated {

  private Repeated() {}

  /**
   * Waits for the outcome of a request. If an interceptor wants to repeat the request and the
   * caller still waits, sends it once more and waits for the outcome of the second request. The
   * second request has the {@link WriterContext} of the current thread, which determines its fence.
   *
   * @param first the request, which must be tagged with {@link Repetition#BY_SENDER}
   * @param caller the future for which the caller waits
   * @param again sends the second request; an exception is its outcome
   * @param end receives the outcome
   */
  static <T> void atMostOnce(
      CompletableFuture<T> first,
      CompletableFuture<?> caller,
      Supplier<CompletableFuture<T>> again,
      BiConsumer<@Nullable T, @Nullable Throwable> end) {
    Optional<WriterContext> context = WriterContext.current();
    CompletableFuture<T> unused =
        first.whenComplete(
            (answer, failure) -> {
              if (Repetition.Wanted.isCauseOf(failure) && !caller.isDone()) {
                CompletableFuture<T> unusedSecond = sent(context, again).whenComplete(end);
              } else {
                end.accept(answer, failure);
              }
            });
  }

  private static <T> CompletableFuture<T> sent(
      Optional<WriterContext> context, Supplier<CompletableFuture<T>> again) {
    try {
      return context.isPresent() ? context.get().get(again) : again.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }
}
