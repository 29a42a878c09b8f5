// SPDX-License-Identifier: Apache-2.0
package dev.windlass.workqueue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testsupport.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker with nothing to do. */
@Timeout(30)
final class WaitingWorkerTest {

  private final ManualScheduler time = new ManualScheduler();
  private final WorkQueue<String> queue =
      WorkQueue.create(WorkQueueOptions.<String>named("test").withScheduler(time));

  @Test
  void waitsAtAnEmptyQueueUntilThereIsSomething() throws Exception {
    BlockingQueue<Optional<String>> taken = new LinkedBlockingQueue<>();
    worker(taken);
    assertThat(taken).isEmpty();
    queue.add("a");
    assertThat(taken.poll(20, TimeUnit.SECONDS)).contains("a");
  }

  /** Nobody else may come for it: who gives back need not be one who takes again. */
  @Test
  void isWokenByAKeyThatIsGivenBackAndWasAddedMeanwhile() throws Exception {
    queue.add("a");
    WorkItem<String> item = queue.poll().orElseThrow();
    queue.add("a");
    BlockingQueue<Optional<String>> taken = new LinkedBlockingQueue<>();
    Thread worker = worker(taken);
    item.close();
    assertThat(taken.poll(20, TimeUnit.SECONDS)).contains("a");
    worker.join();
  }

  /** One alarm may make several keys ready (docs/reliability.md, bug 20). */
  @Test
  void isWokenByEachOfSeveralDelaysThatEndTogether() throws Exception {
    BlockingQueue<Optional<String>> taken = new LinkedBlockingQueue<>();
    List<Thread> workers = List.of(worker(taken), worker(taken));
    queue.addAfter("a", Duration.ofSeconds(1));
    queue.addAfter("b", Duration.ofSeconds(1));
    time.advance(Duration.ofSeconds(1));
    assertThat(taken.poll(20, TimeUnit.SECONDS)).isPresent();
    assertThat(taken.poll(20, TimeUnit.SECONDS)).as("of the other worker").isNotNull();
    for (Thread worker : workers) {
      worker.join();
    }
  }

  /** One that waits for a key. */
  private Thread worker(BlockingQueue<Optional<String>> taken) {
    Thread worker =
        new Thread(
            () -> {
              try {
                taken.add(queue.take().map(WorkItem::key));
              } catch (InterruptedException e) {
                taken.add(Optional.of("interrupted"));
              }
            });
    worker.start();
    Eventually.that(() -> assertThat(worker.getState()).isEqualTo(Thread.State.WAITING));
    return worker;
  }
}
