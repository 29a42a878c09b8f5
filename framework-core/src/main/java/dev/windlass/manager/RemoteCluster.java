// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.OwnWrites;
import dev.windlass.client.WriteHook;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.leader.Fence;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Another cluster beside the manager's own: a client and caches of its own, which start and stop
 * with the manager's. A controller watches it by specs with its name, such as {@code
 * InformerSpec.of(Foo.class).inCluster("east")}. Made by {@link Manager#cluster}; all methods may
 * be called from any thread.
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
    this.kubernetesClient = GuardedClient.of(base, fence, options.threads());
    this.metrics = metrics;
    this.informers =
        new SharedInformerFactory(connector, WatchScope.ALL, metrics.counting(options));
    this.client = metrics.watch(new CachedClient(kubernetesClient, informers, settings));
    metrics.watch(informers);
  }

  /** Reaches one as the manager's own is reached, read and written. */
  static RemoteCluster connect(
      ManagerBuilder settings, ManagerMetrics metrics, String name, Config given, Fence fence) {
    Objects.requireNonNull(given, "cluster(...) was given null: say how to reach it");
    OwnWrites writes = new OwnWrites();
    ClusterMetrics measures = metrics.cluster(name, given.getMasterUrl());
    @Nullable KubernetesClient client = null;
    @Nullable RemoteCluster made = null;
    try {
      WriteHook hook = settings.readYourWrites() ? writes : WriteHook.NONE;
      client = Connection.open(given, hook, measures.requests(), settings.informerOptions());
      made =
          new RemoteCluster(
              name,
              client,
              settings.connector(client),
              settings.informerOptions(),
              fence,
              settings.clientSettings(),
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
   * What a cluster is as a component.
   *
   * @throws IllegalArgumentException if it can't have that name
   */
  static String called(String name) {
    Objects.requireNonNull(name, "cluster(...) was given null: name the cluster");
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "cluster(...) was given the name '"
              + name
              + "': give the cluster a name of its own; the empty one is that of the program's own"
              + " cluster");
    }
    return "the cluster " + name;
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /**
   * Needed by controllers of one cluster that read or write in another. Reads from its caches, and
   * writes like {@link Manager#client()}: in a reconcile under the name of the controller and
   * fenced by its lease, else fenced by the manager's, if there is one.
   */
  public Client client() {
    return client;
  }

  /** The fabric8 client under it. */
  public KubernetesClient kubernetesClient() {
    return kubernetesClient;
  }

  /** The informers on it, which its controllers share. */
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

  /** Ends the caches, and closes the client. */
  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    try {
      return informers.shutDown(limit);
    } finally {
      close();
    }
  }

  /** Closes the client, also of a cluster that was never started. Repeatable. */
  void close() {
    base.close();
    metrics.close();
  }

  @Override
  public String toString() {
    return called(name);
  }
}
