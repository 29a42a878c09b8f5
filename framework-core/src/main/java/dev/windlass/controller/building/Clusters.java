// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.Client;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.manager.KubernetesCluster;
import dev.windlass.manager.Manager;

/** Looks up a manager's clusters by name. An empty name stands for the program's own cluster. */
record Clusters(Manager manager) implements WatchSelection.Informers {

  @Override
  public SharedInformerFactory of(String cluster) {
    return find(cluster).informers();
  }

  @Override
  public boolean knows(String cluster) {
    return manager.findCluster(cluster).isPresent();
  }

  /** Returns a phrase that denotes the given cluster, for use in messages. */
  static String text(String cluster) {
    return cluster.isEmpty() ? "the program's own cluster" : "the cluster '" + cluster + "'";
  }

  /** Returns the client that reconciles use for objects in the given cluster. */
  Client client(String cluster) {
    return find(cluster).client();
  }

  /** Returns a client that reads from the server of the given cluster, and not from the caches. */
  Client live(String cluster) {
    return find(cluster).replicaClient().uncached();
  }

  private KubernetesCluster find(String cluster) {
    return manager
        .findCluster(cluster)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the manager has no cluster '%s': add it with Manager.cluster(...), and don't remove it while requests refer to it"
                        .formatted(cluster)));
  }
}
