// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.health.HealthSource;
import dev.windlass.health.checks.SafeCauseText;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.manager.permissions.DeclaredPermissions;
import dev.windlass.manager.shutdown.StopRequest;
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
    StopRequest stop) {

  /** An informer and the name of its cluster. The name is empty for the manager's own cluster. */
  record NamedCache(String cluster, SharedIndexInformer<?> informer) {

    /** Returns a name that consists of the cluster, the resource, the namespace and selectors. */
    String name() {
      String namespace = informer.scope().namespace();
      return (cluster.isEmpty() ? "" : cluster + ": ")
          + informer.type().resource()
          + (namespace == null || namespace.isEmpty() ? "" : " of " + namespace)
          + informer.scope().selection();
    }
  }

  /** Returns all caches. The caches of other clusters come last. */
  List<NamedCache> caches() {
    List<NamedCache> all = new ArrayList<>();
    for (KubernetesCluster cluster : components.of(KubernetesCluster.class)) {
      for (SharedIndexInformer<?> informer : cluster.informers().informers()) {
        all.add(new NamedCache(cluster.name(), informer));
      }
    }
    return all;
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
