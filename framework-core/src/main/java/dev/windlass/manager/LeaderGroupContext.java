// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.manager.permissions.DeclaredPermissions;
import dev.windlass.manager.shutdown.StopSequence;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.scheduling.Loop;
import dev.windlass.scheduling.LoopStep;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

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

  OnLeadershipLost onLost() {
    return onLost;
  }

  void fail(Throwable cause) {
    fail.accept(cause);
  }

  void add(String name, ManagedComponent component, LeaderGroup group) {
    begin.accept(components.add(name, component, group));
  }

  LeaderElector elector(LeaderElectionOptions options, LeaderListener listener) {
    LeaderElector elector =
        electors.create(cluster.replicaKubernetesClient(), options, environment, listener);
    metrics.watch(options.name(), elector);
    permissions.elects(elector.lease());
    return elector;
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
