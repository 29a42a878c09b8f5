// SPDX-License-Identifier: Apache-2.0
package dev.windlass.client.pipeline;

import dev.windlass.leader.Fence;
import dev.windlass.leader.LeadershipLostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A fence that the test closes, and that knows which actions are in progress. */
class TestFence implements Fence {

  final List<Runnable> underWay = new CopyOnWriteArrayList<>();
  private volatile boolean open = true;

  @Override
  public boolean holds() {
    return open;
  }

  @Override
  public Duration check() {
    if (!open) {
      throw new LeadershipLostException("it is closed");
    }
    return Duration.ofSeconds(4);
  }

  @Override
  public Action pass(Runnable cut) {
    underWay.add(cut);
    return () -> underWay.remove(cut);
  }

  void close() {
    open = false;
    underWay.forEach(Runnable::run);
  }
}
