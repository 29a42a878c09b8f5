// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** One elector, stepped by hand. */
final class Replica implements LeaderListener {

  final String name;
  final FakeLease.Connection connection;
  final LeaseFence fence;
  final LeadershipReporter news;
  final Election election;

  /** What its listener heard. */
  final List<String> heard = new ArrayList<>();

  /** Whether it competes. */
  boolean mayClaim = true;

  /** Who has to stop before it leads. */
  CompletableFuture<Optional<String>> rival = CompletableFuture.completedFuture(Optional.empty());

  /** Since when a watch has shown each version of the Lease. */
  final Map<String, Long> watched = new HashMap<>();

  private boolean woken;

  Replica(
      String name,
      FakeLease lease,
      LeaderElectionOptions options,
      Scheduler scheduler,
      Clock clock,
      long seed) {
    this.name = name;
    this.connection = lease.new Connection();
    this.fence = new LeaseFence(options, scheduler);
    this.news = new LeadershipReporter(options.place(), this, scheduler);
    this.election =
        new Election(
            options,
            name,
            connection,
            fence,
            news,
            new LeaderElector.Environment(scheduler, clock, Thread::new, new Random(seed)),
            this,
            () -> woken = true);
  }

  @Override
  public void startedLeading() {
    heard.add("leads");
  }

  @Override
  public boolean mayClaim() {
    return mayClaim;
  }

  @Override
  public CompletableFuture<Optional<String>> rival() {
    return rival;
  }

  @Override
  public long observedAt(String version, long now) {
    return watched.getOrDefault(version, now);
  }

  @Override
  public void stoppedLeading(LeadershipLostException why) {
    heard.add(String.valueOf(why.getMessage()));
  }

  /** Does what its loop would do now. */
  StepDelay step() {
    StepDelay pause;
    int rounds = 0;
    do {
      woken = false;
      pause = election.run();
      if (++rounds > 100) {
        throw new AssertionError(name + " does not come to rest");
      }
    } while (woken || pause.equals(StepDelay.NONE));
    return pause;
  }

  boolean leads() {
    return news.status().leading() && fence.holds();
  }
}
