// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import java.time.Duration;
import java.util.List;

/** A component that notes what becomes of it, and does what the test says. */
class NotedPart implements ManagedComponent {

  interface Action {
    void run() throws Exception;
  }

  interface End {
    boolean within(Duration limit) throws InterruptedException;
  }

  final List<String> noted;
  final String name;
  private final Phase phase;
  Action onStart = () -> {};
  End onStop = limit -> true;

  NotedPart(List<String> noted, String name, Phase phase) {
    this.noted = noted;
    this.name = name;
    this.phase = phase;
  }

  @Override
  public Phase phase() {
    return phase;
  }

  @Override
  public void start() throws Exception {
    noted.add("start " + name);
    onStart.run();
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    noted.add("stop " + name);
    return onStop.within(limit);
  }

  @Override
  public String toString() {
    return name;
  }
}
