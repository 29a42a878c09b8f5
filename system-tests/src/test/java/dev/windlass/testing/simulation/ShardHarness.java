// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.windlass.controller.ControllerBuilder;
import dev.windlass.controller.reconcile.ReconcileContext;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.Result;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.testing.apiserver.embedded.TransportHook;
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
import org.junit.jupiter.api.AutoClose;

/**
 * Replicas that divide the objects of a controller among themselves, on virtual time. After each
 * write, the writer is the holder of the Lease of the object's shard, and the fence of no other
 * replica is open for the object.
 */
abstract class ShardHarness {

  static final int OBJECTS = 24;

  private final int objects;

  /** The lease duration, and what a replica may take until it has noticed. */
  static final Duration WITHOUT_OWNER = Duration.ofSeconds(35);

  static final Duration BALANCED = Duration.ofSeconds(60);

  @AutoClose final Simulation simulation;
  final KubernetesClient kubectl;
  final Map<String, SimulatedProcess> processes = new LinkedHashMap<>();
  final List<String> violations = new ArrayList<>();

  ShardHarness(Simulation simulation, int objects) {
    this.simulation = simulation;
    this.objects = objects;
    this.kubectl = simulation.kubernetesClient();
    for (int i = 0; i < objects; i++) {
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

  static ShardOptions shards(String replica, int number) {
    return ShardOptions.of("widgets")
        .withElection(election -> election.withNamespace("default").withIdentity(replica))
        .withShards(number);
  }

  SimulatedProcess start(String replica, int shards) {
    return start(replica, shards, builder -> builder.shards(shards(replica, shards)));
  }

  SimulatedProcess start(String replica, int shards, UnaryOperator<ManagerBuilder> settings) {
    return start(replica, shards, settings, TransportHook.NONE);
  }

  SimulatedProcess start(
      String replica, int shards, UnaryOperator<ManagerBuilder> settings, TransportHook hook) {
    SimulatedProcess process =
        simulation.start(
            replica,
            hook,
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
      takeTime(replica);
      if (!wanted.equals(next.getData().put("done", wanted))) {
        context.client().update(next);
        requireOwner(replica, shards, request);
      }
    }
    return Result.done();
  }

  /** Lets time pass in a reconcile that has read its object and not yet written it. */
  void takeTime(String replica) {}

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

  static String lease(int shard, int shards) {
    return shards == 1 ? "widgets" : "widgets-%02d-of-%02d".formatted(shard + 1, shards);
  }

  Optional<String> owner(String name) {
    Lease lease = kubectl.leases().inNamespace("default").withName(name).get();
    return Optional.ofNullable(lease)
        .map(found -> found.getSpec().getHolderIdentity())
        .map(holder -> holder.substring(0, holder.indexOf('_')));
  }

  /** Returns how many shards each replica owns. */
  Map<String, Integer> owned(int shards) {
    Map<String, Integer> owned = new TreeMap<>();
    for (int shard = 0; shard < shards; shard++) {
      owner(lease(shard, shards)).ifPresent(owner -> owned.merge(owner, 1, Integer::sum));
    }
    return owned;
  }

  void awaitOwned(int shards, Map<String, Integer> expected, Duration limit) {
    simulation.advanceUntil(() -> owned(shards).equals(expected), limit);
    assertThat(owned(shards)).isEqualTo(expected);
  }

  void change(String wanted) {
    for (int i = 0; i < objects; i++) {
      kubectl
          .configMaps()
          .inNamespace("default")
          .withName("object-" + i)
          .edit(map -> new ConfigMapBuilder(map).addToData("wanted", wanted).build());
    }
  }

  boolean isDone(String wanted) {
    return kubectl.configMaps().inNamespace("default").list().getItems().stream()
        .filter(map -> map.getData() != null && map.getData().containsKey("wanted"))
        .allMatch(map -> Objects.equals(map.getData().get("done"), wanted));
  }

  void awaitDone(String wanted, Duration limit) {
    assertThat(simulation.advanceUntil(() -> isDone(wanted), limit))
        .as("served " + wanted)
        .isTrue();
    assertThat(violations).isEmpty();
  }
}
