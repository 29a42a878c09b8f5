// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.client.CachedClient;
import dev.windlass.client.RequestListener;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.time.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What is measured of one cluster: requests, caches, clients. For managers, which connect it;
 * thread safe.
 */
public final class ClusterMetrics implements AutoCloseable {

  private final Meters meters;
  private final RequestListener requests;
  private final InformerMetrics informers;
  private final Runnable onClose;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final List<CachedClient> clients = new CopyOnWriteArrayList<>();

  /**
   * Nothing is measured yet.
   *
   * @param name of the cluster; a label, so it must be one of few
   * @param requests counts those to its API server
   * @param onClose what else to do at the end
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
        "Writes that were not sent, because they would have changed nothing",
        () -> clients.stream().mapToLong(CachedClient::skippedWrites).sum(),
        "cluster_name",
        name);
  }

  /** Counts the requests of a client. */
  public RequestListener requests() {
    return requests;
  }

  /** The options with which the informers of the cluster are counted. */
  public InformerOptions counting(InformerOptions options) {
    return informers.counting(options);
  }

  /** Has the caches of this factory shown from now on. */
  public void watch(SharedInformerFactory factory) {
    informers.watch(factory);
  }

  /** Has the skipped writes of this client counted from now on; returns it. */
  public CachedClient watch(CachedClient client) {
    clients.add(client);
    return client;
  }

  /** Removes all of it from the registry. Repeatable. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      informers.close();
      meters.close();
      onClose.run();
    }
  }
}
