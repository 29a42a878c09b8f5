// SPDX-License-Identifier: Apache-2.0
package dev.windlass.httpserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
  private final AtomicBoolean noMore = new AtomicBoolean();
  private final AtomicInteger made = new AtomicInteger();
  private final RequestThreads requests =
      new RequestThreads(
          "test",
          new RequestThreads.Limits(2, 2, CROWDED, Duration.ofSeconds(5), Duration.ofSeconds(60)),
          time,
          task -> {
            if (noMore.get()) {
              throw new OutOfMemoryError("unable to create native thread");
            }
            made.incrementAndGet();
            return new Thread(task);
          });

  @AfterEach
  void end() {
    closed.countDown();
    end.countDown();
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

  @Test
  void closesSlowConnectionsIfOthersWait() throws InterruptedException {
    requests.execute(slow("first"));
    requests.execute(slow("second"));
    Eventually.that(() -> assertThat(begun).hasSize(2));
    time.advance(CROWDED);
    assertThat(interrupted).as("while nobody waits").isEmpty();
    CountDownLatch served = new CountDownLatch(1);
    requests.execute(served::countDown);
    time.advance(CROWDED);
    closed.await();
    end.countDown();
    served.await();
    Eventually.that(() -> assertThat(interrupted).containsExactlyInAnyOrder("first", "second"));
  }

  @Test
  void refusesWhatCantWait() {
    for (int i = 0; i < 4; i++) {
      requests.execute(slow("one of two that are served and two that wait"));
    }
    AtomicBoolean interruptedAtOnce = new AtomicBoolean();
    requests.execute(() -> interruptedAtOnce.set(Thread.currentThread().isInterrupted()));
    assertThat(interruptedAtOnce).isTrue();
    assertThat(requests.refused()).isEqualTo(1);
    end.countDown();
  }

  @Test
  void leavesSlowConnectionsAloneAfterTheLastThatWaits() throws InterruptedException {
    requests.execute(slow("slow"));
    Eventually.that(() -> assertThat(begun).hasSize(1));
    CountDownLatch leave = new CountDownLatch(1);
    requests.execute(() -> Eventually.stuckUntil(() -> leave.getCount() == 0));
    CountDownLatch served = new CountDownLatch(1);
    requests.execute(served::countDown);
    leave.countDown();
    served.await();
    time.advance(CROWDED);
    assertThat(interrupted).isEmpty();
    end.countDown();
  }

  @Test
  void servesOnAFreeThreadIfNoOtherCanBeMade() throws InterruptedException {
    Eventually.that( // a request that comes before the last has ended waits for its thread
        () -> {
          CountDownLatch served = new CountDownLatch(1);
          requests.execute(served::countDown);
          served.await();
          assertThat(made).as("threads that stay").hasValue(HttpEndpoint.PAGES);
        });
    noMore.set(true);
    Eventually.that(
        () -> {
          CompletableFuture<Thread> served = new CompletableFuture<>();
          requests.execute(() -> served.complete(Thread.currentThread()));
          assertThat(served.get(1, TimeUnit.SECONDS)) // a refused request runs on this thread
              .isNotSameAs(Thread.currentThread());
        });
    noMore.set(false);
  }
}
