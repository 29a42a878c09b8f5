// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.connection;

import dev.windlass.client.transport.HookedClients;
import dev.windlass.client.transport.OwnWrites;
import dev.windlass.client.transport.WriteHook;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.kubeconfig.ClientConfig;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a build opens for its manager: the client and the meters.
 *
 * @param ownsClient whether the manager closes the client
 * @param ownMetrics the metrics of the manager's own cluster
 */
public record OpenedResources(
    KubernetesClient client,
    boolean ownsClient,
    ManagerMetrics metrics,
    ClusterMetrics ownMetrics,
    Optional<OwnWrites> ownWrites) {

  /** The name of the manager's own cluster in labels. */
  private static final String OWN_CLUSTER = "main";

  /**
   * Opens the resources of a manager. If that fails, nothing stays open.
   *
   * @param given the client to use; null to create one with the configuration
   * @param config the configuration of the client, given or not
   * @param readYourWrites whether reads from caches include this process's own writes
   * @param metrics closed with the manager
   */
  public static OpenedResources open(
      @Nullable KubernetesClient given,
      Config config,
      boolean readYourWrites,
      InformerOptions options,
      ManagerMetrics metrics) {
    // Each manager has its own instance.
    Optional<OwnWrites> writes = readYourWrites ? Optional.of(new OwnWrites()) : Optional.empty();
    @Nullable OpenedResources made = null;
    try {
      ClusterMetrics own = metrics.cluster(OWN_CLUSTER, config.getMasterUrl());
      WriteHook hook = writes.<WriteHook>map(all -> all).orElse(WriteHook.NONE);
      KubernetesClient client =
          given != null
              ? HookedClients.around(given, hook, own.requests())
              : ClientConfig.open(config, hook, own.requests(), options);
      made = new OpenedResources(client, given == null, metrics, own, writes);
      return made;
    } finally {
      if (made == null) {
        metrics.close();
      }
    }
  }

  /** Closes the metrics, and the client unless the program provided it. */
  public void close() {
    if (ownsClient) {
      client.close();
    }
    metrics.close();
  }
}
