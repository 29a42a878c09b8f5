// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.behaviour.Logs;
import dev.windlass.client.WriterContext;
import dev.windlass.controller.Controller;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.leader.Fence;
import dev.windlass.testing.time.ManualScheduler;
import dev.windlass.workqueue.Priority;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is replaced, by threads that do nothing. */
final class WorkersTest {

  private final ManualScheduler time = new ManualScheduler();
  private final List<Thread> threads = new ArrayList<>();
  private final Workers workers = workers(1);
  private final ActiveReconcile a = stuck("a");
  private final ActiveReconcile b = stuck("b");

  @AfterEach
  void leavesNoThreadBehind() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join(20_000);
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private ActiveReconcile stuck(String name) {
    ControllerConfig config = config(1);
    return new ActiveReconcile(
        config,
        new ActiveReconcile.Circumstances(Request.of(name), "id", 0, Priority.NORMAL, List.of(), 0),
        new WriterContext("foo", Fence.OPEN),
        new BackgroundTasks(config),
        null);
  }

  private ControllerConfig config(int number) {
    return ControllerConfigs.config(
        "foo",
        List.of(),
        (request, context) -> Result.done(),
        ControllerOptions.defaults().withMaxConcurrentReconciles(number),
        ControllerListener.NONE,
        failure -> {},
        time,
        task -> {
          Thread thread = new Thread(task);
          threads.add(thread);
          return thread;
        });
  }

  private Workers workers(int number) {
    return new Workers(config(number), () -> () -> {});
  }

  /** A JVM that ends must not wait for them. */
  @Test
  void areDaemons() {
    workers.start();
    workers.replace(a);
    assertThat(threads).hasSize(2).allMatch(Thread::isDaemon);
  }

  /** Otherwise, a controller with a thousand workers would start them all before it can stop. */
  @Test
  void doNotStartAfterAStop() {
    AtomicReference<Workers> stopping = new AtomicReference<>();
    Workers three =
        new Workers(
            config(3),
            () -> {
              if (threads.size() == 1) {
                stopping.get().stop();
              }
              return () -> {};
            });
    stopping.set(three);
    three.start();
    assertThat(threads).hasSize(2);
    three.start();
    assertThat(threads).hasSize(2);
  }

  @Test
  void replaceOneOnce() {
    Workers two = workers(2);
    two.replace(a);
    two.replace(a);
    assertThat(threads).hasSize(1);
  }

  /** The watchdog may ask often, but each stuck worker is logged once. */
  @Test
  void replaceNoMoreThanThereAre() {
    try (Logs logs = Logs.of(Controller.class)) {
      workers.replace(a);
      workers.replace(b);
      workers.replace(b);
      assertThat(threads).hasSize(1);
      assertThat(logs.lines())
          .containsExactly(
              "ERROR foo: 1 stuck workers have been replaced, which is the limit; "
                  + b
                  + " blocks another one");
    }
  }

  /** Its worker is free, and one is missing. */
  @Test
  void letOneThatReturnsTakeThePlaceOfAnother() {
    workers.replace(a);
    workers.replace(b);
    assertThat(workers.wasReplaced(a)).as("it goes on in the place of b's").isFalse();
    assertThat(workers.wasReplaced(b)).as("and b's ends").isTrue();
  }

  @Test
  void takeThePlaceOfNobodyWhoHasReturned() {
    workers.replace(a);
    workers.replace(b);
    assertThat(workers.wasReplaced(b)).isFalse();
    assertThat(workers.wasReplaced(a)).isTrue();
  }
}
