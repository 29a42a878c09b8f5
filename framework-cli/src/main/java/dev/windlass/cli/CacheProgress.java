// SPDX-License-Identifier: Apache-2.0
package dev.windlass.cli;

import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.ManagedComponent;
import dev.windlass.manager.Manager;
import dev.windlass.manager.Phase;
import dev.windlass.scheduling.Loop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the progress of a manager's caches while they sync, on a separate thread. This class is
 * thread-safe.
 */
final class CacheProgress implements ManagedComponent {

  private static final Logger log = LoggerFactory.getLogger("setup");

  private final Manager manager;
  private final CountedFeeds feeds;
  private volatile @Nullable Loop loop;

  CacheProgress(Manager manager, CountedFeeds feeds) {
    this.manager = manager;
    this.feeds = feeds;
  }

  /**
   * Returns the phase that directly follows the phase of the caches. Components of this phase start
   * on every replica, even if it is not the leader.
   */
  @Override
  public Phase phase() {
    return Phase.ALWAYS;
  }

  @Override
  public void start() {
    InformerOptions options = manager.informerOptions();
    SyncProgress progress =
        new SyncProgress(
            () -> manager.diagnosis().caches(),
            cache -> feeds.arrived(cache.type(), cache.namespace()),
            options.scheduler(),
            log::info);
    Loop started = new Loop("progress", progress, options.scheduler(), options.threads());
    loop = started;
    started.start();
  }

  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    Loop ending = loop;
    if (ending == null) {
      return true;
    }
    ending.stop();
    return ending.join(limit);
  }

  @Override
  public String toString() {
    return "progress";
  }
}
