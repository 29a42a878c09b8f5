// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.manager.permissions.DeclaredPermissions;
import dev.windlass.time.Loop;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The parts of a manager that health checks and diagnosis observe.
 *
 * @param fail stops the manager with an error
 */
record ManagerParts(
    KubernetesClient client,
    SharedInformerFactory informers,
    EventBroadcaster events,
    Components components,
    List<LeaderGroup> groups,
    DeclaredPermissions permissions,
    Consumer<Throwable> fail) {

  /** An informer, with the name of its cluster; empty for the manager's own. */
  record NamedCache(String cluster, SharedIndexInformer<?> informer) {

    /** Returns a description of the cached objects. */
    String name() {
      String namespace = informer.scope().namespace();
      return (cluster.isEmpty() ? "" : cluster + ": ")
          + informer.type().resource()
          + (namespace == null || namespace.isEmpty() ? "" : " of " + namespace);
    }
  }

  /** Returns all caches, with those of other clusters last. */
  List<NamedCache> caches() {
    List<NamedCache> all = new ArrayList<>();
    informers.informers().forEach(informer -> all.add(new NamedCache("", informer)));
    for (RemoteCluster cluster : components.of(RemoteCluster.class)) {
      for (SharedIndexInformer<?> informer : cluster.informers().informers()) {
        all.add(new NamedCache(cluster.name(), informer));
      }
    }
    return all;
  }

  /** Returns the loops of the elections that must be running now. */
  Stream<Loop> electionLoops() {
    return groups.stream().flatMap(group -> group.loops().stream());
  }
}
