// SPDX-License-Identifier: Apache-2.0
package dev.windlass.tests.shards;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.apiserver.embedded.TransportHook;
import dev.windlass.testing.simulation.SimulatedProcess;
import dev.windlass.testing.simulation.Simulation;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas that divide the objects of a controller among themselves, on virtual time. After each
 * write, the writer is the holder of the Lease of the object's shard.
 */
final class ShardsTest {

  private static final int OBJECTS = 24;

  /** The lease duration, and what a replica may take until it has noticed. */
  private static final Duration WITHOUT_OWNER = Duration.ofSeconds(35);

  private static final Duration BALANCED = Duration.ofSeconds(60);

  @AutoClose private final Simulation simulation = Simulation.inOrder();
  private final KubernetesClient kubectl = simulation.kubernetesClient();
  private final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
  private final List<String> violations = new ArrayList<>();

  ShardsTest() {
    for (int i = 0; i < OBJECTS; i++) {
      kubectl
          .resource(
              new ConfigMapBuilder()
                  .withNewMetadata()
                  .withNamespace("default")
                  .withName("object-" + i)
                  .endMetadata()
                  .addToData("wanted", "0")
                  .build())
          .create();
    }
  }

  private static ShardOptions shards(String replica, int number) {
    return ShardOptions.of("widgets")
        .withElection(election -> election.withNamespace("default").withIdentity(replica))
        .withShards(number);
  }

  private SimulatedProcess start(String replica, int shards) {
    return start(replica, shards, builder -> builder.shards(shards(replica, shards)));
  }

  private SimulatedProcess start(
      String replica, int shards, UnaryOperator<ManagerBuilder> settings) {
    SimulatedProcess process =
        simulation.start(
            replica,
            TransportHook.NONE,
            settings::apply,
            manager ->
                ControllerBuilder.forType(ConfigMap.class)
                    .named("widgets")
                    .sharded()
                    .reconciler((request, context) -> reconcile(replica, shards, request, context))
                    .register(manager));
    processes.put(replica, process);
    return process;
  }

  private Result reconcile(String replica, int shards, Request request, ReconcileContext context) {
    Optional<ConfigMap> found = context.client().get(ConfigMap.class, request.key());
    if (found.isPresent() && found.get().getData().containsKey("wanted")) {
      ConfigMap next = new ConfigMapBuilder(found.get()).build();
      String wanted = next.getData().get("wanted");
      if (!wanted.equals(next.getData().put("done", wanted))) {
        context.client().update(next);
        requireOwner(replica, shards, request);
      }
    }
    return Result.done();
  }

  private void requireOwner(String replica, int shards, Request request) {
    int shard = ShardKey.OBJECT.shardOf(request, shards);
    String owner = owner(lease(shard, shards)).orElse("nobody");
    if (!owner.equals(replica)) {
      violations.add("%s wrote %s of %s".formatted(replica, request, owner));
    }
    processes.forEach(
        (name, other) -> {
          if (!name.equals(replica) && other.isAlive() && owns(other.manager(), request)) {
            violations.add("%s wrote %s, and %s can".formatted(replica, request, name));
          }
        });
  }

  /** Returns whether a replica's fence for an object is open, whatever its number of shards is. */
  private static boolean owns(Manager manager, Request request) {
    List<LeaderGroup> shards = manager.shards();
    LeaderGroup group =
        shards.isEmpty()
            ? manager.leadership().orElseThrow()
            : shards.get(ShardKey.OBJECT.shardOf(request, shards.size()));
    return group.fence().holds();
  }

  private static String lease(int shard, int shards) {
    return shards == 1 ? "widgets" : "widgets-%02d-of-%02d".formatted(shard + 1, shards);
  }

  private Optional<String> owner(String name) {
    Lease lease = kubectl.leases().inNamespace("default").withName(name).get();
    return Optional.ofNullable(lease)
        .map(found -> found.getSpec().getHolderIdentity())
        .map(holder -> holder.substring(0, holder.indexOf('_')));
  }

  /** Returns how many shards each replica owns. */
  private Map<String, Integer> owned(int shards) {
    Map<String, Integer> owned = new TreeMap<>();
    for (int shard = 0; shard < shards; shard++) {
      owner(lease(shard, shards)).ifPresent(owner -> owned.merge(owner, 1, Integer::sum));
    }
    return owned;
  }

  private void awaitOwned(int shards, Map<String, Integer> expected, Duration limit) {
    simulation.advanceUntil(() -> owned(shards).equals(expected), limit);
    assertThat(owned(shards)).isEqualTo(expected);
  }

  private void change(String wanted) {
    for (int i = 0; i < OBJECTS; i++) {
      kubectl
          .configMaps()
          .inNamespace("default")
          .withName("object-" + i)
          .edit(map -> new ConfigMapBuilder(map).addToData("wanted", wanted).build());
    }
  }

  private boolean isDone(String wanted) {
    return kubectl.configMaps().inNamespace("default").list().getItems().stream()
        .filter(map -> map.getData() != null && map.getData().containsKey("wanted"))
        .allMatch(map -> Objects.equals(map.getData().get("done"), wanted));
  }

  private void awaitDone(String wanted, Duration limit) {
    assertThat(simulation.advanceUntil(() -> isDone(wanted), limit))
        .as("served " + wanted)
        .isTrue();
    assertThat(violations).isEmpty();
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
