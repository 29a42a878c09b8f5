// SPDX-License-Identifier: Apache-2.0
package dev.windlass.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.scheduling.ManualScheduler;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/** Replicas and one Lease, on virtual time: 15 s lease, 10 s renew deadline, 2 s retry. */
abstract class ElectionHarness {

  static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.of("lease");
  static final Duration TICK = Duration.ofMillis(100);

  final ManualScheduler time = new ManualScheduler();
  final FakeLease lease = new FakeLease();
  final List<Replica> replicas = new ArrayList<>();
  Replica a = replica("a");
  Replica b = replica("b");

  @BeforeEach
  void onlyTheyTakePart() {
    replicas.clear();
    replicas.addAll(List.of(a, b));
  }

  Replica replica(String name) {
    return replica(name, time.clock());
  }

  Replica replica(String name, Clock clock) {
    Replica replica = new Replica(name, lease, OPTIONS, time, clock, name.hashCode());
    replicas.add(replica);
    return replica;
  }

  /** Lets time pass, while all but the frozen ones run; never do two lead. */
  void pass(Duration duration, Replica... frozen) {
    for (Duration left = duration; !left.isZero(); left = left.minus(TICK)) {
      time.advance(TICK);
      for (Replica replica : replicas) {
        if (!List.of(frozen).contains(replica)) {
          replica.step();
        }
        assertThat(replicas.stream().filter(r -> r.fence.holds()).count())
            .as("replicas that may act")
            .isLessThanOrEqualTo(1);
      }
    }
  }

  static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  void electA() {
    a.step();
    b.step();
    assertThat(a.leads()).isTrue();
    assertThat(b.leads()).isFalse();
  }
}
