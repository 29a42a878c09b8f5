// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.monitoring;

import dev.windlass.health.checks.Heartbeat;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.leader.LeaderStatus;
import dev.windlass.scheduling.Loop;
import java.util.List;
import java.util.Optional;

/**
 * Supplies the state of a manager to the health checks and the diagnosis. Each method returns the
 * current state without sending requests. Implementations are thread-safe.
 */
public interface ManagerState {

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

  /**
   * A lease for which the manager competes.
   *
   * @param name the namespace and name of the Lease, with a slash between them
   * @param identity the name of this replica in the Lease
   * @param status the status of the election
   * @param fenceOpen whether the fence is open, that is, whether this replica is the leader and has
   *     renewed the lease within the renew deadline
   * @param problem the reason why the lease cannot be read or written, or empty if there is no
   *     problem
   */
  record MonitoredLease(
      String name,
      String identity,
      LeaderStatus status,
      boolean fenceOpen,
      Optional<String> problem) {}

  /** Returns the components of the manager that have the given type. */
  <T> List<T> components(Class<T> type);

  /** Returns all caches. The caches of other clusters come last. */
  List<NamedCache> caches();

  /** Returns the leases of all leader groups. */
  List<MonitoredLease> leases();

  /** Returns the Event recorders' loops. */
  List<Loop> eventLoops();

  /**
   * Returns the loops of the leader elections. The result contains only loops that must currently
   * be running.
   */
  List<Loop> electionLoops();

  /** Returns the heartbeats of the permission check. */
  List<Heartbeat> permissionHeartbeats();

  /** Returns the first fatal failure of a component, or empty if no component has failed. */
  Optional<Throwable> failure();

  /** Returns the version of the API server, or empty if it is unknown. */
  Optional<String> serverVersion();
}
