// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.StepDelay;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task every ten seconds while this replica is the leader. The first run starts after ten
 * seconds. A manager starts and stops this component like a controller, and restarts it if the
 * replica becomes the leader again.
 */
final class EveryTenSeconds implements ManagedComponent {

  /** The interval between two runs: 10 s. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private final String name;
  private final Runnable task;
  private final InformerOptions options;

  private volatile @Nullable Loop loop;

  /**
   * Creates a component without starting it.
   *
   * @param name the name of the thread
   * @param task the task, which must not block, because stopping this component waits for it
   * @param options the options that provide the thread factory and the scheduler
   */
  EveryTenSeconds(String name, Runnable task, InformerOptions options) {
    this.name = name;
    this.task = task;
    this.options = options;
  }

  @Override
  public void start() {
    long[] next = {options.scheduler().nanoTime() + PERIOD.toNanos()};
    Loop begun = new Loop(name, () -> round(next), options.scheduler(), options.threads());
    loop = begun;
    begun.start();
  }

  /**
   * Runs the task if it is due, and returns the delay until the next run. If the loop wakes up
   * before the task is due, the task does not run. The next run is due a full period after the
   * start of the current run, even if the current run started late.
   */
  private StepDelay round(long[] next) {
    long now = options.scheduler().nanoTime();
    if (now - next[0] >= 0) {
      next[0] = now + PERIOD.toNanos();
      task.run();
    }
    return StepDelay.of(Duration.ofNanos(next[0] - options.scheduler().nanoTime()));
  }

  @Override
  public void cancel(Duration limit) {
    Loop running = loop;
    if (running != null) {
      running.stop();
    }
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Loop running = loop;
    if (running == null) {
      return true;
    }
    running.stop();
    return running.join(limit);
  }
}
