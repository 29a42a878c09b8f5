// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager.connection;

import dev.windlass.client.CachedClient;
import dev.windlass.client.WriterContext;
import dev.windlass.informer.CachePolicy;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.Fence;
import dev.windlass.leader.fencing.FencedClients;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.concurrent.ThreadFactory;
import java.util.function.Predicate;

/**
 * The connection to the manager's own cluster. It consists of a client, the caches, and clients
 * that read from the caches.
 */
public final class Connection {

  private final ConnectionResources opened;
  private final KubernetesClient client;
  private final SharedInformerFactory informers;
  private final CachedClient.Settings settings;
  private final ThreadFactory threads;
  private final ClusterMetrics metrics;
  private volatile Predicate<ResourceType> listsEverywhere = type -> false;

  /** Creates a connection and its caches, but does not start the caches. */
  public Connection(
      ConnectionResources opened,
      SharedInformerFactory.Connector connector,
      WatchScope scope,
      CachePolicy policy,
      InformerOptions options,
      CachedClient.Settings settings) {
    this.opened = opened;
    this.client = opened.client();
    this.settings = settings;
    this.threads = options.threads();
    metrics = opened.ownMetrics();
    informers =
        new SharedInformerFactory(
            connector,
            scope,
            policy,
            metrics
                .counting(options)
                .withSerialization(ObjectSerialization.of(client.getKubernetesSerialization())));
    metrics.watch(informers);
    opened.ownWrites().ifPresent(writes -> writes.watch(informers));
  }

  /** Returns the client. Its writes are not fenced. */
  public KubernetesClient client() {
    return client;
  }

  /** Returns the informers, which hold the caches. */
  public SharedInformerFactory informers() {
    return informers;
  }

  /**
   * Sets the predicate that determines for which types clients may list all namespaces. For other
   * types that are restricted to certain namespaces, clients list these namespaces one by one.
   */
  public void listsEverywhere(Predicate<ResourceType> declared) {
    listsEverywhere = declared;
  }

  /** Creates a client that reads from the caches and writes through the given client. */
  public CachedClient cached(KubernetesClient writer) {
    return metrics.watch(
        new CachedClient(writer, informers, settings, type -> listsEverywhere.test(type)));
  }

  /** Returns a client whose writes must pass the given fence. */
  public KubernetesClient guarded(Fence fence) {
    return FencedClients.of(client, fence, threads);
  }

  /**
   * Creates the clients for reconcilers.
   *
   * @param own the manager's fence, which guards writes outside reconciles
   */
  public ReconcilerClients reconcilerClients(Fence own) {
    Fence fence = WriterContext.fenceOr(own);
    KubernetesClient guarded = guarded(fence);
    return new ReconcilerClients(fence, guarded, cached(guarded));
  }

  /** Returns the manager's metrics. */
  public ManagerMetrics metrics() {
    return opened.metrics();
  }

  /** Closes all resources that were opened for the manager. */
  public void close() {
    opened.close();
  }
}
