// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.transport.HookedClients;
import dev.windlass.client.transport.OwnWrites;
import dev.windlass.client.transport.WriteHook;
import dev.windlass.manager.kubeconfig.ClientConfig;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.metrics.Scrape;
import dev.windlass.time.Scheduler;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resources that a build opens for its manager: the client and the meters.
 *
 * @param ownsClient whether the manager closes the client
 * @param ownMetrics the metrics of the manager's own cluster
 */
record OpenedResources(
    KubernetesClient client,
    boolean ownsClient,
    ManagerMetrics metrics,
    ClusterMetrics ownMetrics,
    Optional<OwnWrites> ownWrites) {

  /** The name of the manager's own cluster in labels. */
  private static final String OWN_CLUSTER = "main";

  static OpenedResources of(ManagerBuilder builder) {
    // Each manager has its own instance.
    Optional<OwnWrites> writes =
        builder.readYourWrites() ? Optional.of(new OwnWrites()) : Optional.empty();
    Config chosen = builder.chosenConfig();
    ManagerMetrics metrics = metrics(builder);
    @Nullable OpenedResources made = null;
    try {
      builder.endpoints().scrape = Scrape.of(metrics.registry()).map(scrape -> scrape::text);
      ClusterMetrics own = metrics.cluster(OWN_CLUSTER, chosen.getMasterUrl());
      WriteHook hook = writes.<WriteHook>map(all -> all).orElse(WriteHook.NONE);
      Optional<KubernetesClient> given = Optional.ofNullable(builder.given);
      KubernetesClient client =
          given.isPresent()
              ? HookedClients.around(given.get(), hook, own.requests())
              : ClientConfig.open(chosen, hook, own.requests(), builder.informerOptions());
      made = new OpenedResources(client, given.isEmpty(), metrics, own, writes);
      return made;
    } finally {
      if (made == null) {
        metrics.close();
      }
    }
  }

  private static ManagerMetrics metrics(ManagerBuilder builder) {
    Scheduler scheduler = builder.informerOptions().scheduler();
    boolean histograms = builder.endpoints().requestHistograms();
    MeterRegistry registry = builder.meterRegistry;
    return registry == null
        ? ManagerMetrics.own(builder.observations, histograms, scheduler)
        : ManagerMetrics.on(registry, builder.observations, histograms, scheduler);
  }

  void close() {
    if (ownsClient) {
      client.close();
    }
    metrics.close();
  }
}
