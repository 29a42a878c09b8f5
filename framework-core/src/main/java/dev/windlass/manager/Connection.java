// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.client.HookedClients;
import dev.windlass.client.RequestListener;
import dev.windlass.client.WriteHook;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import java.util.function.Predicate;

/**
 * The connection to the manager's own cluster: a client, the caches, and clients that read from
 * them.
 */
final class Connection {

  private final KubernetesClient client;
  private final boolean owned;
  private final SharedInformerFactory informers;
  private final CachedClient.Settings settings;
  private final ClusterMetrics metrics;
  private volatile Predicate<ResourceType> listsEverywhere = type -> false;

  Connection(ManagerBuilder builder) {
    client = builder.client();
    owned = builder.ownsClient();
    settings = builder.clientSettings();
    metrics = builder.ownMetrics();
    informers =
        new SharedInformerFactory(
            builder.connector(client),
            builder.scope(),
            builder.caching.policy(),
            metrics.counting(builder.informerOptions()));
    metrics.watch(informers);
    builder.ownWrites().ifPresent(writes -> writes.watch(informers));
  }

  /**
   * Opens a client with the settings that Windlass needs. The given configuration is not modified.
   */
  static KubernetesClient open(
      Config given, WriteHook hook, RequestListener listener, InformerOptions surroundings) {
    Config chosen = new ConfigBuilder(given).build();
    // fabric8 retries failed requests by itself, even creates; ours must fail once and visibly.
    chosen.setRequestRetryBackoffLimit(0);
    // With HTTP/2, watches and writes share one connection, and none of the transports replaces it
    // after the network has silently dropped it (docs/adr/0007).
    chosen.setHttp2Disable(true);
    return HookedClients.of(
        chosen, hook, listener, HttpClientUtils.getHttpClientFactory(), surroundings.scheduler());
  }

  KubernetesClient client() {
    return client;
  }

  SharedInformerFactory informers() {
    return informers;
  }

  /** Sets a test for whether the program has declared that it lists a type in all namespaces. */
  void listsEverywhere(Predicate<ResourceType> declared) {
    listsEverywhere = declared;
  }

  /** Creates a client that reads from the caches, and writes through the given one. */
  CachedClient cached(KubernetesClient writer) {
    return metrics.watch(
        new CachedClient(writer, informers, settings, type -> listsEverywhere.test(type)));
  }

  /** Closes the client, unless the program provided it. */
  void close() {
    if (owned) {
      client.close();
    }
  }
}
