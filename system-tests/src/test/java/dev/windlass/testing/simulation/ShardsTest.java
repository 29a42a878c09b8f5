// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.Manager;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ShardsTest extends ShardHarness {

  ShardsTest() {
    super(Simulation.inOrder(), OBJECTS);
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

  /** With two shards there are two members' Leases, and a crashed replica leaves one behind. */
  @Test
  void moveToAReplicaThatStartsAfterACrash() {
    start("a", 2);
    start("b", 2);
    awaitOwned(2, Map.of("a", 1, "b", 1), BALANCED);
    Objects.requireNonNull(processes.get("b")).kill();
    start("c", 2);
    awaitOwned(2, Map.of("a", 1, "c", 1), WITHOUT_OWNER.plus(BALANCED));
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

  /** A renewal of each Lease every 5 s, and nothing else. */
  @Test
  void costFewRequestsWhileNothingChanges() {
    Stream.of("a", "b", "c", "d").forEach(replica -> start(replica, 12));
    awaitOwned(12, Map.of("a", 3, "b", 3, "c", 3, "d", 3), BALANCED);
    simulation.advance(BALANCED);
    int before = simulation.server().requests().size();
    Duration time = Duration.ofMinutes(5);
    simulation.advance(time);
    double perSecond = (simulation.server().requests().size() - before) / (double) time.toSeconds();
    System.out.printf("12 shards, 4 replicas: %.1f requests per second%n", perSecond);
    assertThat(perSecond).isPositive().isLessThanOrEqualTo(6);
  }

  @Test
  void areMeasured() {
    SimpleMeterRegistry a = new SimpleMeterRegistry();
    start("a", 12, builder -> builder.shards(shards("a", 12)).meterRegistry(a));
    start("b", 12);
    awaitOwned(12, Map.of("a", 6, "b", 6), BALANCED);
    awaitDone("0", BALANCED);
    assertThat(a.get("windlass_shards_owned").gauge().value()).isEqualTo(6);
    assertThat(a.get("windlass_shards_share").gauge().value()).isEqualTo(6);
    assertThat(a.get("windlass_shards_longest_unowned_seconds").gauge().value()).isZero();
    assertThat(objects(a)).isEqualTo(objectsOf("a"));
    Objects.requireNonNull(processes.get("b")).kill();
    Gauge unowned = a.get("windlass_shards_longest_unowned_seconds").gauge();
    simulation.advanceUntil(() -> unowned.value() > 0, WITHOUT_OWNER);
    assertThat(unowned.value()).isEqualTo(1);
    awaitOwned(12, Map.of("a", 12), WITHOUT_OWNER);
    simulation.advance(Duration.ofSeconds(2));
    assertThat(objects(a)).isEqualTo(OBJECTS);
    assertThat(a.find("leader_election_master_status").gauges())
        .as("members' Leases are not led")
        .hasSize(12);
  }

  private static double objects(MeterRegistry registry) {
    return registry.get("windlass_controller_shard_objects").gauges().stream()
        .mapToDouble(Gauge::value)
        .sum();
  }

  private double objectsOf(String replica) {
    return IntStream.range(0, OBJECTS)
        .mapToObj(i -> Request.of("default", "object-" + i))
        .filter(
            each ->
                owner(lease(ShardKey.OBJECT.shardOf(each, 12), 12)).equals(Optional.of(replica)))
        .count();
  }

  @Test
  void sayForWhomTheyWait() {
    start("old", 6);
    awaitOwned(6, Map.of("old", 6), BALANCED);
    Manager manager = start("new", 12).manager();
    simulation.advance(Duration.ofSeconds(10));
    assertThat(manager.diagnosis().leases())
        .hasSize(12)
        .allSatisfy(
            lease ->
                assertThat(lease.problem().orElse(""))
                    .startsWith("waiting for old_")
                    .contains("another number of shards than 12"));
    assertThat(manager.shards()).as("readiness").allMatch(group -> group.problem().isEmpty());
    assertThat(kubectl.events().v1().events().inNamespace("default").list().getItems())
        .anySatisfy(
            event -> {
              assertThat(event.getReason()).isEqualTo("WaitingForShards");
              assertThat(event.getRegarding().getKind()).isEqualTo("Lease");
              assertThat(event.getRegarding().getName()).startsWith("widgets-").endsWith("-of-06");
            });
    Objects.requireNonNull(processes.get("old")).stop();
    awaitOwned(12, Map.of("new", 12), BALANCED);
    assertThat(manager.diagnosis().leases()).allMatch(lease -> lease.problem().isEmpty());
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
