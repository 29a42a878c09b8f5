// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.health.HealthSource;
import dev.windlass.health.checks.Heartbeat;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.manager.monitoring.ManagerState;
import dev.windlass.manager.permissions.DeclaredPermissions;
import dev.windlass.manager.shutdown.StopRequest;
import dev.windlass.scheduling.Loop;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a manager that its endpoints, health checks and diagnosis use.
 *
 * @param client the client of the manager's own cluster; its writes do not pass a fence
 * @param events the Event recorders
 * @param components all components of the manager
 * @param groups the leader groups, each of which has its own lease
 * @param permissions the permissions that the program has declared
 * @param stop the request to stop the manager, for example because of a failure
 */
record MonitoringContext(
    KubernetesClient client,
    EventBroadcaster events,
    Components components,
    List<LeaderGroup> groups,
    DeclaredPermissions permissions,
    StopRequest stop)
    implements ManagerState {

  @Override
  public <T> List<T> components(Class<T> type) {
    return components.of(type);
  }

  @Override
  public List<NamedCache> caches() {
    List<NamedCache> all = new ArrayList<>();
    for (KubernetesCluster cluster : components.of(KubernetesCluster.class)) {
      for (SharedIndexInformer<?> informer : cluster.informers().informers()) {
        all.add(new NamedCache(cluster.name(), informer));
      }
    }
    return all;
  }

  @Override
  public List<MonitoredLease> leases() {
    return groups.stream()
        .map(
            group ->
                new MonitoredLease(
                    group.lease(),
                    group.identity(),
                    group.status(),
                    group.fence().holds(),
                    group.problem()))
        .toList();
  }

  @Override
  public List<Loop> eventLoops() {
    return events.loops();
  }

  @Override
  public List<Loop> electionLoops() {
    return groups.stream().flatMap(group -> group.loops().stream()).toList();
  }

  @Override
  public List<Heartbeat> permissionHeartbeats() {
    return permissions.heartbeats();
  }

  @Override
  public Optional<Throwable> failure() {
    return stop.failure();
  }

  @Override
  public Optional<String> serverVersion() {
    return permissions.serverVersion();
  }

  /**
   * Abandons each component with a problem that only a restart can solve. If this replica is the
   * leader of the component's group, it resigns leadership. If the manager has no leader groups, it
   * stops with a failure.
   *
   * @param dead the causes of failed liveness checks, keyed by the check's name
   * @param wedgedAfter the time after which a component counts as wedged if all its workers are
   *     blocked
   */
  void giveUp(Map<String, String> dead, Duration wedgedAfter) throws InterruptedException {
    for (RegisteredComponent registered : components.all()) {
      if (!(registered.component instanceof HealthSource part)
          || !dead.containsKey(part.checkName())) {
        continue;
      }
      // Query the component itself, because its check may only have timed out on a busy machine.
      Optional<String> cause = part.liveness(wedgedAfter);
      if (cause.isEmpty()) {
        continue;
      }
      LeaderGroup group = registered.group;
      IllegalStateException why =
          new IllegalStateException(
              registered + " is abandoned: " + SafeCauseText.clean(cause.get()));
      if (group != null && group.status().leading()) {
        group.resign(why);
      } else if (groups.isEmpty()) {
        stop.fail(why);
      }
    }
  }
}
