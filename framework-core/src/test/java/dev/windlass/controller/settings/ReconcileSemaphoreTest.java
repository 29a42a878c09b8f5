// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.windlass.controller.ConcurrencyLimit;
import dev.windlass.testsupport.Eventually;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class ReconcileSemaphoreTest {

  private final ReconcileSemaphore limit = new ReconcileSemaphore(2);
  private final Queue<String> began = new ConcurrentLinkedQueue<>();

  private Thread waiting(String name, AtomicBoolean givenUp) {
    Thread thread =
        new Thread(
            () -> {
              try {
                ReconcileSemaphore.Permit unused = limit.await(givenUp::get);
                began.add(name);
              } catch (InterruptedException e) {
                began.add(name + " was interrupted");
              }
            });
    thread.setDaemon(true);
    thread.start();
    Eventually.that(() -> assertThat(thread.getState()).isEqualTo(Thread.State.WAITING));
    return thread;
  }

  private void assertBegan(String... names) {
    Eventually.that(() -> assertThat(began).containsExactly(names));
  }

  @Test
  void letsWaitingReconcilesBeginInTheirOrder() throws InterruptedException {
    ReconcileSemaphore.Permit first = limit.await(() -> false);
    ReconcileSemaphore.Permit second = limit.await(() -> false);
    AtomicBoolean never = new AtomicBoolean();
    for (String name : List.of("a", "b", "c")) {
      waiting(name, never);
    }
    assertThat(limit.taken()).isEqualTo(2);
    first.close();
    assertBegan("a");
    first.close(); // again, which gives nothing away
    assertThat(limit.taken()).isEqualTo(2);
    assertBegan("a");
    second.close();
    assertBegan("a", "b");
  }

  @Test
  void passesOverWhoWaitsNoLonger() throws InterruptedException {
    ReconcileSemaphore.Permit first = limit.await(() -> false);
    ReconcileSemaphore.Permit unused = limit.await(() -> false);
    AtomicBoolean stop = new AtomicBoolean();
    waiting("stopped", stop);
    Thread second = waiting("second", new AtomicBoolean());
    waiting("third", new AtomicBoolean());
    stop.set(true);
    limit.wake();
    assertBegan("stopped");
    second.interrupt();
    assertBegan("stopped", "second was interrupted");
    first.close();
    assertBegan("stopped", "second was interrupted", "third");
    assertThat(limit.taken()).isEqualTo(2);
  }

  @Test
  void refusesALimitThatLetsNothingRun() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ConcurrencyLimit.of(0))
        .withMessage("a concurrency limit must be at least 1, not 0");
  }
}
