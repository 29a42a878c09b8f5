// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.informer.InformerOptions;
import dev.windlass.leader.ElectionEnvironment;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.LeaderListener;
import dev.windlass.manager.fencing.GuardedClient;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.time.Loop;
import dev.windlass.time.Step;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

/** The parts of a manager that leader groups use. */
final class ManagerHost implements GroupHost {

  private final Electors electors;
  private final OnLeadershipLost onLost;
  private final ElectionEnvironment surroundings;
  private final ManagerMetrics metrics;
  private final Connection connection;
  private final Rights rights;
  private final Components components;
  private final StopSequence endings;
  private final Consumer<Throwable> fail;
  private final Consumer<Slot> begin;

  /**
   * Creates the host of one manager's groups.
   *
   * @param fail stops the manager with an error
   * @param begin starts a component that was added, if its phase has been reached
   */
  ManagerHost(
      ManagerBuilder settings,
      Connection connection,
      Rights rights,
      Components components,
      StopSequence endings,
      Consumer<Throwable> fail,
      Consumer<Slot> begin) {
    this.electors = settings.electors();
    this.onLost = settings.onLeadershipLost();
    InformerOptions options = settings.informerOptions();
    this.surroundings =
        new ElectionEnvironment(
            options.scheduler(), settings.clock(), options.threads(), options.random());
    this.metrics = settings.metrics();
    this.connection = connection;
    this.rights = rights;
    this.components = components;
    this.endings = endings;
    this.fail = fail;
    this.begin = begin;
  }

  @Override
  public Components components() {
    return components;
  }

  @Override
  public StopSequence endings() {
    return endings;
  }

  @Override
  public OnLeadershipLost onLost() {
    return onLost;
  }

  @Override
  public void fail(Throwable cause) {
    fail.accept(cause);
  }

  @Override
  public void add(String name, ManagedComponent component, LeaderGroup group) {
    begin.accept(components.add(name, component, group));
  }

  @Override
  public LeaderElector elector(LeaderElectionOptions options, LeaderListener listener) {
    LeaderElector elector = electors.create(connection.client(), options, surroundings, listener);
    metrics.watch(options.name(), elector);
    rights.elects(elector.lease());
    return elector;
  }

  @Override
  public KubernetesClient guarded(Fence fence) {
    return GuardedClient.of(connection.client(), fence, surroundings.threads());
  }

  @Override
  public Client cached(KubernetesClient client) {
    return connection.cached(client);
  }

  @Override
  public Loop loop(String name, Step step) {
    return new Loop(name, step, surroundings.scheduler(), surroundings.threads());
  }
}
