// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.metrics.ClusterMetrics;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The manager's own cluster: a client, the caches, and clients that read from them. */
final class Connection {

  private final KubernetesClient client;
  private final boolean owned;
  private final SharedInformerFactory informers;
  private final CachedClient.Settings settings;
  private final ClusterMetrics metrics;

  Connection(ManagerBuilder builder) {
    client = builder.client();
    owned = builder.ownsClient();
    settings = builder.clientSettings();
    metrics = builder.ownMetrics();
    informers =
        new SharedInformerFactory(
            builder.connector(), builder.scope(), metrics.counting(builder.informerOptions()));
    metrics.watch(informers);
    builder.ownWrites().ifPresent(writes -> writes.watch(informers));
  }

  KubernetesClient client() {
    return client;
  }

  SharedInformerFactory informers() {
    return informers;
  }

  /** A client that reads from the caches, and writes through the given one. */
  CachedClient cached(KubernetesClient writer) {
    return metrics.watch(new CachedClient(writer, informers, settings));
  }

  /** Closes the client, unless it is somebody else's. */
  void close() {
    if (owned) {
      client.close();
    }
  }
}
