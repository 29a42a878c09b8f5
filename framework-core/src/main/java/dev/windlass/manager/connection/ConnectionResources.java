// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.connection;

import dev.windlass.client.transport.HookedClients;
import dev.windlass.client.transport.OwnWrites;
import dev.windlass.client.transport.ReconcileWrites;
import dev.windlass.client.transport.WriteHook;
import dev.windlass.informer.InformerOptions;
import dev.windlass.manager.clientconfig.ClientConfig;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a manager opens when it is built: the client and the meters.
 *
 * @param client the client; its writes are not fenced
 * @param ownsClient whether the manager closes the client
 * @param metrics the manager's metrics
 * @param ownMetrics the metrics of the manager's own cluster
 * @param ownWrites the record of this process's own writes; empty if reads from caches do not
 *     include them
 */
public record ConnectionResources(
    KubernetesClient client,
    boolean ownsClient,
    ManagerMetrics metrics,
    ClusterMetrics ownMetrics,
    Optional<OwnWrites> ownWrites) {

  /** The name of the manager's own cluster in metric labels. */
  private static final String OWN_CLUSTER = "main";

  /**
   * Opens a manager's resources. If this method fails, it closes the metrics and everything that it
   * has opened.
   *
   * @param given the client to use, or null to create a client from the configuration
   * @param config the client's configuration
   * @param transport the HTTP transport for a client that this method creates, or null for the
   *     default
   * @param readYourWrites whether reads from caches include this process's own writes
   * @param metrics the manager's metrics; {@link #close} closes them together with the other
   *     resources
   */
  public static ConnectionResources open(
      @Nullable KubernetesClient given,
      Config config,
      HttpClient.@Nullable Factory transport,
      boolean readYourWrites,
      InformerOptions options,
      ManagerMetrics metrics) {
    // Each manager has a separate instance.
    Optional<OwnWrites> writes = readYourWrites ? Optional.of(new OwnWrites()) : Optional.empty();
    @Nullable ConnectionResources made = null;
    try {
      ClusterMetrics own = metrics.cluster(OWN_CLUSTER, config.getMasterUrl());
      WriteHook scoped = new ReconcileWrites("");
      WriteHook hook = writes.map(scoped::around).orElse(scoped);
      KubernetesClient client =
          given != null
              ? HookedClients.around(given, hook, own.requests())
              : ClientConfig.open(config, transport, hook, own.requests(), options);
      made = new ConnectionResources(client, given == null, metrics, own, writes);
      return made;
    } finally {
      if (made == null) {
        metrics.close();
      }
    }
  }

  /** Closes the metrics, and closes the client unless the program provided it. */
  public void close() {
    if (ownsClient) {
      client.close();
    }
    metrics.close();
  }
}
