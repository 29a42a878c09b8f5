// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.testing.simulation.SimulatedProcess;
import dev.windlass.testing.simulation.Simulation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardsTest extends ShardHarness {

  ShardsTest() {
    super(Simulation.inOrder());
  }

  @Test
  void areDividedEvenlyWhenReplicasComeAndGo() {
    start("a", 12);
    awaitOwned(12, Map.of("a", 12), Duration.ofSeconds(10));
    awaitDone("0", Duration.ofSeconds(5));
    start("b", 12);
    start("c", 12);
    awaitOwned(12, Map.of("a", 4, "b", 4, "c", 4), BALANCED);
    change("1");
    awaitDone("1", Duration.ofSeconds(5));
    assertThat(Objects.requireNonNull(processes.get("c")).stop()).isTrue();
    awaitOwned(12, Map.of("a", 6, "b", 6), Duration.ofSeconds(20));
    change("2");
    awaitDone("2", Duration.ofSeconds(5));
    Objects.requireNonNull(processes.get("b")).kill();
    change("3");
    awaitDone("3", WITHOUT_OWNER);
    assertThat(owned(12)).isEqualTo(Map.of("a", 12));
  }

  @Test
  void moveOnlyAsFarAsTheyMust() {
    Stream.of("a", "b", "c", "d").forEach(replica -> start(replica, 12));
    awaitOwned(12, Map.of("a", 3, "b", 3, "c", 3, "d", 3), BALANCED);
    Map<Integer, String> before = owners();
    start("e", 12);
    simulation.advanceUntil(() -> owned(12).getOrDefault("e", 0) == 2, BALANCED);
    simulation.advance(BALANCED);
    assertThat(owned(12).values()).allMatch(number -> number == 2 || number == 3);
    Map<Integer, String> after = owners();
    assertThat(before.keySet().stream().filter(i -> !after.get(i).equals(before.get(i))))
        .hasSize(2);
  }

  private Map<Integer, String> owners() {
    Map<Integer, String> owners = new TreeMap<>();
    for (int shard = 0; shard < 12; shard++) {
      owners.put(shard, owner(lease(shard, 12)).orElse("nobody"));
    }
    return owners;
  }

  /** From one leader, from six shards, and back. */
  @ParameterizedTest
  @ValueSource(strings = {"1 6", "6 12", "12 1"})
  void changeTheirNumberByARollingUpdate(String numbers) {
    int former = Integer.parseInt(numbers.split(" ")[0]);
    int next = Integer.parseInt(numbers.split(" ")[1]);
    Stream.of("a", "b", "c").forEach(replica -> start(replica, former));
    awaitDone("0", BALANCED);
    int turn = 0;
    for (String replica : List.of("a", "b", "c")) {
      start("new-" + replica, next);
      change("during " + ++turn);
      simulation.advance(Duration.ofSeconds(7));
      Objects.requireNonNull(processes.get(replica)).stop();
      change("after " + turn);
      awaitDone("after " + turn, BALANCED);
    }
    assertThat(owned(former)).isEmpty();
    simulation.advance(BALANCED);
    assertThat(owned(next).values().stream().mapToInt(number -> number).sum()).isEqualTo(next);
  }

  /** As they were before they had shards. */
  @Test
  void followALeaderThatKnowsNoShards() {
    LeaderElectionOptions single = shards("old", 1).election();
    SimulatedProcess old = start("old", 1, builder -> builder.leaderElection(single));
    awaitDone("0", Duration.ofSeconds(30));
    start("new", 6);
    change("1");
    awaitDone("1", BALANCED);
    assertThat(owned(6)).isEmpty();
    old.stop();
    change("2");
    awaitDone("2", BALANCED);
    awaitOwned(6, Map.of("new", 6), BALANCED);
  }
}
