// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.CachedClient;
import dev.windlass.client.Client;
import dev.windlass.client.pipeline.OwnWrites;
import dev.windlass.client.pipeline.Pipeline;
import dev.windlass.client.pipeline.PipelineClients;
import dev.windlass.client.pipeline.ReconcileWrites;
import dev.windlass.client.pipeline.WriteHook;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.leader.Fence;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.object.ObjectSerialization;
import dev.windlass.object.ResourceType;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster with its clients and caches: the manager's own cluster, or another one that {@link
 * Manager#cluster} has connected. The caches start and stop with the manager, and the settings of
 * the {@link ManagerBuilder} apply to each cluster. To watch objects in another cluster, a
 * controller uses a spec with the cluster's name, such as {@code
 * InformerSpec.of(Foo.class).inCluster("east")}. All methods can be called from any thread.
 */
public final class KubernetesCluster implements ManagedComponent {

  /** The name of the manager's own cluster in the labels of metrics. */
  private static final String OWN = "main";

  private final String name;
  private final Connection connection;
  private final ClusterSettings settings;
  private final Predicate<ResourceType> listsEverywhere;
  private final SharedInformerFactory informers;
  private final Client replicaClient;
  private final KubernetesClient kubernetesClient;
  private final Client client;

  /**
   * The connection to a cluster.
   *
   * @param client the client; its writes are not fenced
   * @param ownsClient whether the client is closed with the connection
   */
  record Connection(
      KubernetesClient client,
      boolean ownsClient,
      ClusterMetrics metrics,
      @Nullable OwnWrites ownWrites) {

    /**
     * Connects to a cluster. Sends no request.
     *
     * @param name the name of the cluster, or an empty string for the manager's own cluster
     * @param given the client to use, or null to create one
     */
    static Connection open(
        String name,
        @Nullable KubernetesClient given,
        Config config,
        ClusterSettings settings,
        ManagerMetrics measures) {
      ClusterMetrics metrics = measures.cluster(name.isEmpty() ? OWN : name, config.getMasterUrl());
      @Nullable Connection made = null;
      try {
        OwnWrites writes = settings.readYourWrites() ? new OwnWrites() : null;
        WriteHook scoped = new ReconcileWrites(name);
        WriteHook hook = writes == null ? scoped : scoped.around(writes);
        Pipeline.Hooks hooks =
            new Pipeline.Hooks(hook, metrics.requests(), settings.options().threads());
        KubernetesClient client =
            given != null
                ? PipelineClients.around(given, hooks)
                : PipelineClients.open(
                    config, settings.transport(), hooks, settings.options().scheduler());
        made = new Connection(client, given == null, metrics, writes);
        return made;
      } finally {
        if (made == null) {
          metrics.close();
        }
      }
    }

    void close() {
      if (ownsClient) {
        client.close();
      }
      metrics.close();
    }
  }

  /**
   * Creates the caches and the clients, but does not start the caches.
   *
   * @param listsEverywhere returns whether clients can list a type in all namespaces. For any other
   *     type, a list of all namespaces covers only the namespaces of the caches
   * @param outside the fence for writes outside reconciles
   */
  KubernetesCluster(
      String name,
      Connection connection,
      ClusterSettings settings,
      Predicate<ResourceType> listsEverywhere,
      Supplier<Fence> outside) {
    this.name = name;
    this.connection = connection;
    this.settings = settings;
    this.listsEverywhere = listsEverywhere;
    KubernetesClient base = connection.client();
    informers =
        new SharedInformerFactory(
            settings.connector().with(base),
            settings.scope(),
            settings.policy(name),
            connection
                .metrics()
                .counting(settings.options())
                .withSerialization(ObjectSerialization.of(base.getKubernetesSerialization())));
    connection.metrics().watch(informers);
    if (connection.ownWrites() != null) {
      connection.ownWrites().watch(informers);
    }
    replicaClient = cached(base);
    kubernetesClient =
        PipelineClients.fenced(base, writer -> writer.map(WriterContext::fence).orElseGet(outside));
    client = cached(kubernetesClient);
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

  /** Returns a client whose writes must pass the given fence. */
  KubernetesClient guarded(Fence by) {
    return PipelineClients.fenced(connection.client(), writer -> by);
  }

  /** Returns a client that reads from the caches and writes through the given client. */
  Client cached(KubernetesClient writer) {
    return connection
        .metrics()
        .watch(new CachedClient(writer, informers, settings.client(), listsEverywhere));
  }

  /** Returns the cluster's name, which is empty for the manager's own cluster. */
  public String name() {
    return name;
  }

  /**
   * Returns a client for this cluster. Every controller can use it, whichever clusters the
   * controller watches. The client reads from this cluster's caches. Within a reconcile, apply
   * requests use the controller's name as the field owner, and writes fail unless this replica
   * holds the controller's lease. Outside reconciles, writes fail unless this replica holds the
   * manager's lease. Without leader election, no lease is required.
   */
  public Client client() {
    return client;
  }

  /** Returns the fabric8 client that {@link #client()} uses. */
  public KubernetesClient kubernetesClient() {
    return kubernetesClient;
  }

  /** Returns the client for code that runs on every replica. Its writes do not require a lease. */
  public Client replicaClient() {
    return replicaClient;
  }

  /** Returns the fabric8 client that {@link #replicaClient()} uses. */
  public KubernetesClient replicaKubernetesClient() {
    return connection.client();
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

  /** Stops the caches. Also closes the client, unless this is the manager's own cluster. */
  @Override
  public boolean stop(Duration limit) throws InterruptedException {
    try {
      return informers.shutDown(limit);
    } finally {
      disconnect();
    }
  }

  /**
   * Closes the clients, even if the cluster was never started. Does nothing for the manager's own
   * cluster, in which leases are released after this. This method is idempotent.
   */
  void disconnect() {
    if (!name.isEmpty()) {
      close();
    }
  }

  void close() {
    connection.close();
  }

  @Override
  public String toString() {
    return name.isEmpty() ? "caches" : called(name);
  }
}
