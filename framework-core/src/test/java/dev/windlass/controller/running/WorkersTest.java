// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.running;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerConfigs;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.scheduling.ManualScheduler;
import dev.windlass.testing.core.Threads;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Threads that do nothing. */
final class WorkersTest {

  private final Threads threads = new Threads();
  private final Workers workers = workers(1);

  @AfterEach
  void leavesNoThreadBehind() throws InterruptedException {
    threads.assertEnded();
  }

  private ControllerConfig config(int number) {
    return ControllerConfigs.config(
        new ManualScheduler(),
        c -> {
          c.options = ControllerOptions.defaults().with(o -> o.maxConcurrentReconciles = number);
          c.threads = threads;
        });
  }

  private Workers workers(int number) {
    return new Workers(config(number), () -> () -> {});
  }

  /** A JVM that ends must not wait for them. */
  @Test
  void areDaemons() {
    workers.start();
    assertThat(threads).hasSize(1).allMatch(Thread::isDaemon);
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
}
