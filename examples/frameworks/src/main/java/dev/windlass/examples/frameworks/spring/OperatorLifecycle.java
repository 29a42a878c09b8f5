// SPDX-License-Identifier: Apache-2.0
package dev.windlass.examples.frameworks.spring;

import dev.windlass.manager.Manager;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

// sample: lifecycle
/** Starts the manager after all other beans, and stops it before them. */
@Component
public final class OperatorLifecycle implements SmartLifecycle {

  private final Manager manager;
  private volatile boolean running;

  OperatorLifecycle(Manager manager) {
    this.manager = manager;
  }

  @Override
  public void start() {
    manager.start(); // returns immediately; caches are filled in the background
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    manager.stop(); // waits for reconciles, up to windlass.stop-timeout
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
// end
