// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import dev.windlass.scheduling.Scheduler;
import dev.windlass.scheduling.StepDelay;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One elector, stepped by hand. */
final class Replica implements LeaderListener {

  final String name;
  final FakeLease.Connection connection;
  final LeaseFence fence;
  final LeadershipReporter news;
  final Election election;

  /** What its listener heard. */
  final List<String> heard = new ArrayList<>();

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
            () -> woken = true);
  }

  @Override
  public void startedLeading() {
    heard.add("leads");
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
