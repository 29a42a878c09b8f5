// SPDX-License-Identifier: Apache-2.0
package dev.windlass.testing.simulation;

import dev.windlass.controller.Controller;
import dev.windlass.diagnosis.ControllerDiagnosis;
import dev.windlass.informer.Informer;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ManagerBuilder;
import dev.windlass.manager.OnLeadershipLost;
import dev.windlass.object.ObjectKey;
import dev.windlass.tests.owned.Widget;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One process of the operator in a {@link ScheduleRun}. If it takes part in an election, it reports
 * its reconciles to an {@link OwnershipChecker}.
 */
final class SimulatedReplica
    implements OwnershipChecker.Replica, ObservationHandler<Observation.Context> {

  /**
   * The limit of a stop, and the time between the renew deadline and the lease duration: 20 ms. If
   * a reconcile that is still running is stopped, the test waits for as long in real time.
   */
  private static final Duration GRACE = Duration.ofMillis(20);

  private static final Duration LEASE = Duration.ofSeconds(15);

  final String identity;
  final ReplicaFaults faults;
  private final OwnershipChecker ownership;
  private SimulatedProcess process;
  private Manager manager;
  private Controller controller;
  private Informer<Widget> cache;

  SimulatedReplica(String identity, ReplicaFaults faults, OwnershipChecker ownership) {
    this.identity = identity;
    this.faults = faults;
    this.ownership = ownership;
  }

  /**
   * Starts the process.
   *
   * @param onLost what the replica does after it has lost its lease
   */
  void start(
      Simulation simulation, boolean elects, OnLeadershipLost onLost, PartsOperator operator) {
    process =
        simulation.start(
            identity,
            faults,
            builder -> elects ? elected(silent(builder), onLost) : silent(builder),
            created -> {
              manager = created;
              controller = operator.register(created);
              cache = created.cache(Widget.class);
              if (elects) {
                ownership.started(identity, this);
              }
            });
  }

  private static ManagerBuilder silent(ManagerBuilder builder) {
    return builder.meterRegistry(new CompositeMeterRegistry()).stopTimeout(GRACE);
  }

  private ManagerBuilder elected(ManagerBuilder builder, OnLeadershipLost onLost) {
    ObservationRegistry observations = ObservationRegistry.create();
    observations.observationConfig().observationHandler(this);
    return builder
        .observationRegistry(observations)
        .onLeadershipLost(onLost)
        .leaderElection(
            LeaderElectionOptions.of("parts")
                .withNamespace("default")
                .withIdentity(identity)
                .withDurations(LEASE, LEASE.minus(GRACE), Duration.ofSeconds(2)));
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns whether the process ends by itself, because its manager has failed or stops. */
  boolean isEnding() {
    return manager.isStopping() || manager.failure().isPresent();
  }

  SimulatedProcess process() {
    return process;
  }

  void stopManager() {
    manager.stop();
  }

  /**
   * Prepares for a long step in a reconcile.
   *
   * @return false if other code could not notice that the reconcile is running
   */
  boolean showReconcile() {
    return process != null && !faults.isSending() && process.showRunningThreads();
  }

  /** Loses all requests for some time, and ends the watches. */
  void isolate(Duration time) {
    faults.isolate(time);
    process.transport().cutWatches();
  }

  void stop() {
    try {
      process.stop();
    } catch (ProcessKilledError e) {
      // A write of the stop was the process's last one.
    }
    kill();
  }

  void kill() {
    process.kill();
    ownership.ended(identity);
  }

  @Override
  public int term() {
    LeaderGroup group = manager.leadership().orElseThrow();
    return group.fence().holds() ? group.status().terms() : 0;
  }

  @Override
  public int queued() {
    ControllerDiagnosis diagnosis = controller.diagnosis();
    return diagnosis.delayed()
        + diagnosis.queued().values().stream().mapToInt(Integer::intValue).sum();
  }

  @Override
  public Set<String> cached() {
    return cache.indexer().keys().stream().map(ObjectKey::name).collect(Collectors.toSet());
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return "windlass.reconcile".equals(context.getName());
  }

  @Override
  public void onStart(Observation.Context context) {
    ownership.begins(identity, key(context));
  }

  @Override
  public void onStop(Observation.Context context) {
    ownership.ends(identity, key(context));
  }

  private static String key(Observation.Context context) {
    return context.getHighCardinalityKeyValue("name").getValue();
  }
}
