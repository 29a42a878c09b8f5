// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.client.CachedClient;
import dev.windlass.client.pipeline.RequestListener;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The metrics of one cluster to which a manager connects: its requests, caches and clients. This
 * class is thread-safe.
 */
public final class ClusterMetrics implements AutoCloseable {

  private final Meters meters;
  private final RequestListener requests;
  private final InformerMetrics informers;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<CachedClient> clients = new CopyOnWriteArrayList<>();

  /**
   * Creates the metrics of a cluster. Caches and clients can be added later.
   *
   * @param name the cluster's name. It is the value of a label, so the number of different names
   *     must be small
   * @param requests the listener that counts the requests to the cluster's API server
   * @param onClose an additional action to run when these metrics are closed
   */
  ClusterMetrics(
      MeterRegistry registry,
      String name,
      Scheduler scheduler,
      RequestListener requests,
      Runnable onClose) {
    this.meters = new Meters(registry);
    this.requests = requests;
    this.onClose = onClose;
    this.informers = new InformerMetrics(registry, name, scheduler);
    meters.count(
        "windlass_client_skipped_writes_total",
        "Writes not sent because they would have changed nothing",
        () -> clients.stream().mapToLong(CachedClient::skippedWrites).sum(),
        "cluster_name",
        name);
  }

  public RequestListener requests() {
    return requests;
  }

  /**
   * Returns a copy of the options with an additional listener that measures the cluster's
   * informers.
   */
  public InformerOptions counting(InformerOptions options) {
    return informers.counting(options);
  }

  public void watch(SharedInformerFactory factory) {
    informers.watch(factory);
  }

  /**
   * Includes the given client's skipped writes in the metric {@code
   * windlass_client_skipped_writes_total}.
   *
   * @return the given client
   */
  public CachedClient watch(CachedClient client) {
    clients.add(client);
    return client;
  }

  /** Removes the meters of this cluster from the registry. This method is idempotent. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      informers.close();
      meters.close();
      onClose.run();
    }
  }
}
