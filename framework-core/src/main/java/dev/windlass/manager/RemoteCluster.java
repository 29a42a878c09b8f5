// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.transport.OwnWrites;
import dev.windlass.client.transport.ReconcileWrites;
import dev.windlass.client.transport.WriteHook;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.Fence;
import dev.windlass.leader.fencing.FencedClients;
import dev.windlass.manager.clientconfig.ClientConfig;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A cluster other than the manager's own. It has its own client and caches. The caches start and
 * stop together with the manager's caches. To watch objects in this cluster, a controller uses a
 * spec with the cluster's name, such as {@code InformerSpec.of(Foo.class).inCluster("east")}.
 * {@link Manager#cluster} creates instances. All methods can be called from any thread.
 */
public final class RemoteCluster implements ManagedComponent {

  private final String name;
  private final KubernetesClient base;
  private final KubernetesClient kubernetesClient;
  private final SharedInformerFactory informers;
  private final Client client;
  private final ClusterMetrics metrics;

  RemoteCluster(
      String name,
      KubernetesClient base,
      SharedInformerFactory.Connector connector,
      InformerOptions options,
      Fence fence,
      CachedClient.Settings settings,
      ClusterMetrics metrics) {
    this.name = name;
    this.base = base;
    this.kubernetesClient = FencedClients.of(base, fence, options.threads());
    this.metrics = metrics;
    this.informers =
        new SharedInformerFactory(connector, WatchScope.ALL, metrics.counting(options));
    this.client = metrics.watch(new CachedClient(kubernetesClient, informers, settings));
    metrics.watch(informers);
  }

  /**
   * Connects to a cluster for reads and writes, in the same way as to the manager's own cluster.
   */
  static RemoteCluster connect(
      ManagerBuilder settings, ManagerMetrics metrics, String name, Config given, Fence fence) {
    Objects.requireNonNull(
        given, "cluster(...) was given null: pass the configuration of its client");
    OwnWrites writes = new OwnWrites();
    ClusterMetrics measures = metrics.cluster(name, given.getMasterUrl());
    @Nullable KubernetesClient client = null;
    @Nullable RemoteCluster made = null;
    try {
      WriteHook scoped = new ReconcileWrites(name);
      WriteHook hook = settings.readYourWrites ? scoped.around(writes) : scoped;
      client =
          ClientConfig.open(
              given,
              settings.access.transport,
              hook,
              measures.requests(),
              settings.informerOptions());
      made =
          new RemoteCluster(
              name,
              client,
              settings.connector().with(client),
              settings.informerOptions(),
              fence,
              settings.clientSettings,
              measures);
      writes.watch(made.informers());
      return made;
    } finally {
      if (made == null) {
        measures.close();
        if (client != null) {
          client.close();
        }
      }
    }
  }

  /**
   * Returns the name under which a cluster is registered as a component.
   *
   * @throws IllegalArgumentException if the cluster's name is blank
   */
  static String called(String name) {
    Objects.requireNonNull(name, "cluster(...) was given null: pass the name of the cluster");
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "cluster(...) was given the name '"
              + name
              + "': choose a name that is not blank; the empty name is the program's own cluster");
    }
    return "the cluster " + name;
  }

  /** Returns the cluster's name. */
  public String name() {
    return name;
  }

  /**
   * Returns a client for this cluster. Every controller can use it, whichever clusters the
   * controller watches. The client reads from this cluster's caches. Its writes follow the rules of
   * {@link Manager#client()}. Within a reconcile, apply requests use the controller's name as the
   * field owner, and writes fail unless this replica holds the controller's lease. Outside
   * reconciles, writes fail unless this replica holds the manager's lease. Without leader election,
   * no lease is required.
   */
  public Client client() {
    return client;
  }

  /** Returns the fabric8 client that {@link #client()} uses. */
  public KubernetesClient kubernetesClient() {
    return kubernetesClient;
  }

  /** Returns this cluster's informers, which all controllers share. */
  public SharedInformerFactory informers() {
    return informers;
  }

  @Override
  public Phase phase() {
    return Phase.CACHES;
  }

  @Override
  public void start() {
    informers.start();
  }

  /** Stops the caches and closes the client. */
  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    try {
      return informers.shutDown(limit);
    } finally {
      close();
    }
  }

  /**
   * Closes the client, even if the cluster was never started. This method can be called repeatedly.
   */
  void close() {
    base.close();
    metrics.close();
  }

  @Override
  public String toString() {
    return called(name);
  }
}
