// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Eventually;
import dev.windlass.testing.time.ManualScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class RequestThreadsTest {

  private static final Duration CROWDED = Duration.ofMillis(100);

  private final ManualScheduler time = new ManualScheduler();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<String> begun = new CopyOnWriteArrayList<>();
  private final List<String> interrupted = new CopyOnWriteArrayList<>();
  private final RequestThreads requests =
      new RequestThreads(
          "test",
          new RequestThreads.Limits(2, 2, CROWDED, Duration.ofSeconds(5), Duration.ofSeconds(60)),
          time,
          Thread::new);

  @AfterEach
  void end() {
    closed.countDown();
    requests.close();
  }

  /** A request that does not arrive, and whose connection takes a while to close. */
  private Runnable slow(String name) {
    return () -> {
      begun.add(name);
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.add(name);
        closed.countDown();
        awaitEnd();
      }
    };
  }

  private final CountDownLatch end = new CountDownLatch(1);

  private void awaitEnd() {
    try {
      end.await();
    } catch (InterruptedException e) {
      // the test is over
    }
  }

  /** Until the thread of the one that gave way is free, the one that waits is still in the line. */
  @Test
  void closesNoMoreConnectionsThanOthersWaitFor() throws InterruptedException {
    requests.execute(slow("first"));
    Eventually.that(() -> assertThat(begun).containsExactly("first"));
    requests.execute(slow("second"));
    Eventually.that(() -> assertThat(begun).containsExactly("first", "second"));
    CountDownLatch served = new CountDownLatch(1);
    requests.execute(served::countDown);
    time.advance(CROWDED);
    closed.await();
    time.advance(CROWDED);
    assertThat(interrupted).containsExactly("first");
    end.countDown();
    served.await();
    time.advance(CROWDED);
    assertThat(interrupted).containsExactly("first");
  }
}
