// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.tenant;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.time.Loop;
import dev.windlass.time.Pause;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task every ten seconds while this replica leads, for the first time after ten seconds. A
 * manager starts and stops it like a controller, and restarts it if the replica leads again.
 */
final class EveryTenSeconds implements ManagedComponent {

  /** The pause between two runs: 10 s. */
  static final Duration PERIOD = Duration.ofSeconds(10);

  private final String name;
  private final Runnable task;
  private final InformerOptions options;

  private volatile @Nullable Loop loop;

  /**
   * Creates a component that does not run yet.
   *
   * @param name the name of the thread
   * @param task the task; must not block, so that a stop does not have to wait for it
   * @param options provide threads and time
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

  /** Handles early wake-ups; a late run does not make the next one early. */
  private Pause round(long[] next) {
    long now = options.scheduler().nanoTime();
    if (now - next[0] >= 0) {
      next[0] = now + PERIOD.toNanos();
      task.run();
    }
    return Pause.of(Duration.ofNanos(next[0] - options.scheduler().nanoTime()));
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
