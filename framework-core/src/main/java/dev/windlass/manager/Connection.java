// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.client.KubernetesClient;
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

  KubernetesClient client() {
    return client;
  }

  SharedInformerFactory informers() {
    return informers;
  }

  /**
   * Sets the predicate that accepts the types that the program declares it lists in all namespaces.
   */
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
