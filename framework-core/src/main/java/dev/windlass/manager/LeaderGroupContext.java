// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.leader.ShardOptions;
import dev.windlass.manager.permissions.DeclaredPermissions;
import dev.windlass.manager.shutdown.StopSequence;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The parts of a manager that its {@link LeaderGroup}s use. */
final class LeaderGroupContext {

  private final ElectorFactory electors;
  private final OnLeadershipLost onLost;
  private final LeaderElector.Environment environment;
  private final ManagerMetrics metrics;
  private final KubernetesCluster cluster;
  private final DeclaredPermissions permissions;
  private final Components components;
  private final StopSequence stopSequence;
  private final Consumer<Throwable> fail;
  private final Consumer<RegisteredComponent> begin;

  /**
   * Creates the context for a manager's groups.
   *
   * @param fail stops the manager with a failure
   * @param begin starts a newly added component if its phase has been reached
   */
  LeaderGroupContext(
      ManagerBuilder builder,
      KubernetesCluster cluster,
      ManagerMetrics metrics,
      DeclaredPermissions permissions,
      Components components,
      StopSequence stopSequence,
      Consumer<Throwable> fail,
      Consumer<RegisteredComponent> begin) {
    this.electors = builder.electors;
    this.onLost = builder.onLeadershipLost();
    InformerOptions options = builder.informerOptions();
    this.environment =
        new LeaderElector.Environment(
            options.scheduler(), builder.clock, options.threads(), options.random());
    this.metrics = metrics;
    this.cluster = cluster;
    this.permissions = permissions;
    this.components = components;
    this.stopSequence = stopSequence;
    this.fail = fail;
    this.begin = begin;
  }

  Components components() {
    return components;
  }

  StopSequence stopSequence() {
    return stopSequence;
  }

  LeaderElector.Environment environment() {
    return environment;
  }

  OnLeadershipLost onLost() {
    return onLost;
  }

  void fail(Throwable cause) {
    fail.accept(cause);
  }

  void add(String name, ManagedComponent component, LeaderGroup group) {
    begin.accept(components.add(name, component, group));
  }

  /** Adds the metrics of shards. */
  void measureShards(
      String name, IntSupplier owned, IntSupplier share, Supplier<Duration> unowned) {
    metrics.shards(name, owned, share, unowned);
  }

  /** Declares the permissions for the Leases of shards and of the replicas that divide them. */
  void divides(ShardOptions options) {
    permissions.observes(options.election());
    for (int slot = 0; slot < options.number(); slot++) {
      LeaderElectionOptions member = options.member(slot);
      permissions.elects(member.namespace() + "/" + member.name());
    }
    permissions.recordsEvents(options.election().namespace());
  }

  /** Returns an elector for a Lease that says only that its holder is there. */
  LeaderElector member(LeaderElectionOptions options, LeaderListener listener) {
    return electors.create(cluster.replicaKubernetesClient(), options, environment, listener);
  }

  LeaderElector elector(LeaderElectionOptions options, LeaderListener listener) {
    LeaderElector elector =
        electors.create(cluster.replicaKubernetesClient(), options, environment, listener);
    metrics.watch(options.name(), elector);
    permissions.elects(elector.lease());
    return elector;
  }

  /**
   * Returns the listener for the election of one leader, which must not act while replicas that
   * have divided the same keys into shards do. Tests keep the Lease in memory, where there are no
   * others.
   */
  LeaderListener soleLeader(LeaderElectionOptions options) {
    if (electors != ManagerBuilder.ON_SERVER) {
      return new LeaderListener() {};
    }
    LeaderElectionOptions complete = inNamespace(options);
    permissions.looksForRivals(complete);
    ShardLeases leases =
        new ShardLeases(
            ShardOptions.of(complete),
            cluster.replicaKubernetesClient(),
            environment.scheduler(),
            environment.threads());
    return new LeaderListener() {
      @Override
      public CompletableFuture<Optional<String>> rival() {
        return leases
            .findRival()
            .thenApply(
                found ->
                    found.map(
                        lease -> ShardLeases.holder(lease) + " owns shards and has not stopped"));
      }
    };
  }

  /** Returns options that specify the namespace of the Lease. */
  LeaderElectionOptions inNamespace(LeaderElectionOptions options) {
    String home = cluster.replicaKubernetesClient().getConfiguration().getNamespace();
    return options.namespace().isEmpty() && home != null && !home.isEmpty()
        ? options.withNamespace(home)
        : options;
  }

  KubernetesClient guarded(Fence fence) {
    return cluster.guarded(fence);
  }

  Client cached(KubernetesClient client) {
    return cluster.cached(client);
  }

  Loop loop(String name, LoopStep step) {
    return new Loop(name, step, environment.scheduler(), environment.threads());
  }
}
