// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One path of a running server, with the path's handler, threads and meters. This class is
 * thread-safe.
 */
final class Endpoint {

  private static final Logger log = LoggerFactory.getLogger(Endpoint.class);

  /**
   * The divisor that determines how much of the time-out is reserved for the response: a tenth. If
   * the handler is too slow, the API server still receives a response, which names the webhook.
   */
  private static final int RESERVE = 10;

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int FAILED = 500;

  /** The response to the caller. */
  record Answer(int status, String type, ByteBuffer body) {

    static Answer text(int status, String sentence) {
      ByteBuffer body = StandardCharsets.UTF_8.encode(OneLine.of(sentence, 500));
      return new Answer(status, "text/plain;charset=utf-8", body);
    }
  }

  private final WebhookPath path;
  private final ThreadPoolExecutor workers;
  private final WebhookMetrics metrics;
  private final Scheduler scheduler;

  Endpoint(WebhookPath path, ThreadFactory threads, Scheduler scheduler, MeterRegistry registry) {
    this.path = path;
    int calls = path.maxConcurrentCalls();
    this.workers =
        new ThreadPoolExecutor(
            calls, calls, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    workers.allowCoreThreadTimeOut(true);
    this.metrics = new WebhookMetrics(path.path(), registry);
    this.scheduler = scheduler;
  }

  /**
   * Counts a request in the metrics. Returns a consumer that records the response in the metrics
   * and sends it.
   */
  Consumer<Answer> begin(Consumer<Answer> send) {
    metrics.begun();
    long begun = scheduler.nanoTime();
    return answer -> {
      metrics.ended(answer.status(), Duration.ofNanos(scheduler.nanoTime() - begun));
      send.accept(answer);
    };
  }

  /**
   * Calls the handler as soon as the limit on concurrent calls permits it, and sends its response.
   *
   * @param asked the time-out that the caller has requested. The shorter of this time-out and the
   *     path's time-out applies
   */
  void call(byte[] body, Duration asked, Consumer<Answer> send) {
    Duration timeout = asked.compareTo(path.timeout()) < 0 ? asked : path.timeout();
    Call call = new Call(body, timeout.minus(timeout.dividedBy(RESERVE)), send);
    call.alarm = scheduler.schedule(call::expire, call.limit);
    try {
      workers.execute(call);
    } catch (RuntimeException | Error e) { // there is no thread
      call.setException(e);
    }
  }

  /**
   * A call of the handler. It fails when its time limit passes, even if it is still waiting. If the
   * handler is running at that time, its thread is interrupted, and the call counts towards the
   * limit on concurrent calls until the handler returns.
   */
  private final class Call extends FutureTask<byte[]> {

    private final Duration limit;
    private final Consumer<Answer> send;
    private volatile Scheduler.@Nullable Alarm alarm;

    Call(byte[] body, Duration limit, Consumer<Answer> send) {
      super(() -> path.handler().handle(body));
      this.limit = limit;
      this.send = send;
    }

    void expire() {
      if (cancel(true)) {
        workers.remove(this);
      }
    }

    @Override
    protected void setException(Throwable failure) {
      super.setException(failure);
    }

    @Override
    protected void done() {
      Scheduler.Alarm set = alarm;
      if (set != null) {
        set.cancel();
      }
      send.accept(answer());
    }

    private Answer answer() {
      try {
        return new Answer(OK, "application/json", ByteBuffer.wrap(get()));
      } catch (CancellationException e) {
        String problem =
            "the webhook " + path.path() + " did not answer within " + limit.toMillis() + " ms";
        log.warn("{}", problem);
        return Answer.text(FAILED, problem);
      } catch (ExecutionException e) {
        return failed(Objects.requireNonNull(e.getCause()));
      } catch (InterruptedException e) {
        throw new IllegalStateException("this call is complete", e);
      }
    }
  }

  private Answer failed(Throwable failure) {
    if (failure instanceof MalformedRequestException) {
      return Answer.text(BAD_REQUEST, String.valueOf(failure.getMessage()));
    }
    metrics.panicked();
    log.warn("Failed to handle a request to the webhook {}", path.path(), OneLine.of(failure));
    return Answer.text(
        FAILED,
        "the webhook " + path.path() + " failed with an exception; see the log of its server");
  }

  /** Interrupts the running calls, and removes the meters. */
  void close() {
    workers.shutdownNow();
    metrics.close();
  }
}
