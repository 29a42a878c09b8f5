// SPDX-License-Identifier: Apache-2.0
package dev.windlass.webhook.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On virtual time; a handler returns when the test permits it. */
final class EndpointTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration LIMIT = Duration.ofSeconds(9);

  private final ManualScheduler time = new ManualScheduler();
  private final Semaphore permits = new Semaphore(0);
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private Endpoint endpoint = endpoint(1, Executors.defaultThreadFactory());

  private Endpoint endpoint(int calls, ThreadFactory threads) {
    return new Endpoint(
        new WebhookPath("/a", this::handle, TIMEOUT, calls),
        threads,
        time,
        new SimpleMeterRegistry());
  }

  private byte[] handle(byte[] body) throws Exception {
    begun.add(text(body));
    try {
      permits.acquire();
    } catch (InterruptedException e) {
      begun.add("interrupted");
      permits.acquire();
    }
    if (text(body).equals("broken")) {
      throw new AssertionError("broken");
    }
    return body;
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }

  private void call(String name) {
    endpoint.call(
        name.getBytes(StandardCharsets.UTF_8),
        TIMEOUT,
        answer ->
            answers.add(answer.status() + " " + StandardCharsets.UTF_8.decode(answer.body())));
  }

  private static String next(BlockingQueue<String> queue) throws InterruptedException {
    return String.valueOf(queue.poll(10, TimeUnit.SECONDS));
  }

  @AfterEach
  void stop() {
    permits.release(10);
    endpoint.close();
  }

  @Test
  void callsBeyondTheLimitWaitForTheirTurn() throws Exception {
    call("a");
    call("b");
    assertThat(next(begun)).isEqualTo("a");
    assertThat(begun).isEmpty();
    permits.release();
    assertThat(next(answers)).isEqualTo("200 a");
    assertThat(next(begun)).isEqualTo("b");
    permits.release();
    assertThat(next(answers)).isEqualTo("200 b");
    assertThat(time.pending()).isEmpty();
  }

  @Test
  void aCallThatTakesTooLongIsInterruptedAndOneThatWaitsTooLongNeverRuns() throws Exception {
    call("a");
    assertThat(next(begun)).isEqualTo("a");
    call("b");
    time.advance(LIMIT);
    for (int i = 0; i < 2; i++) {
      assertThat(next(answers)).isEqualTo("500 the webhook /a did not answer within 9000 ms");
    }
    assertThat(next(begun)).isEqualTo("interrupted");
    call("c");
    assertThat(begun).isEmpty(); // a still counts
    permits.release(2);
    assertThat(next(answers)).isEqualTo("200 c");
    assertThat(List.copyOf(begun)).containsExactly("c");
  }

  @Test
  void aFailureOfAnyKindIsAnswered() throws Exception {
    permits.release();
    call("broken");
    assertThat(next(answers)).startsWith("500 the webhook /a failed with an exception");
  }

  @Test
  void withoutAThreadACallFails() throws Exception {
    endpoint.close();
    endpoint =
        endpoint(
            1,
            task -> {
              throw new IllegalStateException("no thread");
            });
    call("a");
    call("b");
    assertThat(next(answers)).startsWith("500 ");
    assertThat(next(answers)).startsWith("500 ");
  }
}
