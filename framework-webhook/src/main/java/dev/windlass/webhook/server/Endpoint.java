// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One path of a running server, with the path's handler, call queue and meters. This class is
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
  private final CallLane lane;
  private final WebhookMetrics metrics;
  private final Scheduler scheduler;

  Endpoint(WebhookPath path, Executor threads, Scheduler scheduler, MeterRegistry registry) {
    this.path = path;
    this.lane = new CallLane(path.maxConcurrentCalls(), threads, scheduler);
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
   * Calls the handler and sends its response.
   *
   * @param asked the time-out that the caller has requested. The shorter of this time-out and the
   *     path's time-out applies
   */
  void call(byte[] body, Duration asked, Consumer<Answer> send) {
    Duration timeout = asked.compareTo(path.timeout()) < 0 ? asked : path.timeout();
    Duration limit = timeout.minus(timeout.dividedBy(RESERVE));
    lane.submit(() -> path.handler().handle(body), limit, new Reply(limit, send));
  }

  /** Converts the outcome of a call to a response, and sends it. */
  private final class Reply implements CallLane.Ending {

    private final Duration limit;
    private final Consumer<Answer> send;

    Reply(Duration limit, Consumer<Answer> send) {
      this.limit = limit;
      this.send = send;
    }

    @Override
    public void answered(byte[] answer) {
      send.accept(new Answer(OK, "application/json", ByteBuffer.wrap(answer)));
    }

    @Override
    public void failed(Throwable failure) {
      if (failure instanceof MalformedRequestException) {
        send.accept(Answer.text(BAD_REQUEST, String.valueOf(failure.getMessage())));
        return;
      }
      metrics.panicked();
      log.warn("Failed to handle a request to the webhook {}", path.path(), OneLine.of(failure));
      send.accept(
          Answer.text(
              FAILED,
              "the webhook "
                  + path.path()
                  + " failed with an exception; see the log of its server"));
    }

    @Override
    public void late() {
      String problem =
          "the webhook " + path.path() + " did not answer within " + limit.toMillis() + " ms";
      log.warn("{}", problem);
      send.accept(Answer.text(FAILED, problem));
    }
  }

  void close() {
    metrics.close();
  }
}
