// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.events.EventBroadcaster;
import dev.windlass.leader.LeaderElector;
import dev.windlass.object.OneLine;
import dev.windlass.time.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one manager measures beside its controllers, which measure themselves: the clusters that it
 * knows, the leases that it competes for, and its Events. It belongs to the manager: nothing here
 * is shared by the process, so that two managers do not mix. Thread safe.
 */
public final class ManagerMetrics implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ManagerMetrics.class);

  /** How many clusters have series of their own; the others are counted as one. */
  static final int MAX_CLUSTERS = 50;

  private final MeterRegistry registry;

  /** What ends together with us. */
  private final Runnable ending;

  private final ObservationRegistry observations;
  private final Scheduler scheduler;
  private final Meters meters;

  /** By name. */
  private final Map<String, ClusterMetrics> clusters = new ConcurrentHashMap<>();

  /** Those without series of their own, for their keys. */
  private final AtomicInteger others = new AtomicInteger();

  private final AtomicBoolean saidOther = new AtomicBoolean();
  private final RequestHosts hosts;

  private ManagerMetrics(
      MeterRegistry registry,
      Runnable ending,
      ObservationRegistry observations,
      boolean histograms,
      Scheduler scheduler) {
    this.observations = observations;
    this.registry = registry;
    this.ending = ending;
    this.hosts = new RequestHosts(registry, scheduler, histograms);
    this.scheduler = scheduler;
    this.meters = new Meters(registry);
  }

  /**
   * On a registry of somebody else's, from which everything is removed at the end.
   *
   * @param observations who observes reconciles and requests, if anybody does
   * @param histograms whether requests to API servers are timed and weighed, too
   */
  public static ManagerMetrics on(
      MeterRegistry registry,
      ObservationRegistry observations,
      boolean histograms,
      Scheduler scheduler) {
    return new ManagerMetrics(registry, () -> {}, observations, histograms, scheduler);
  }

  /**
   * On a registry of its own: Prometheus's if {@code micrometer-registry-prometheus} is on the
   * class path; else a composite one, which does nothing until somebody adds another one to it. It
   * has the {@link ProcessMetrics}, too.
   */
  public static ManagerMetrics own(
      ObservationRegistry observations, boolean histograms, Scheduler scheduler) {
    MeterRegistry registry = Registries.create(Registries.hasPrometheus());
    ProcessMetrics process = new ProcessMetrics();
    process.bindTo(registry);
    Runnable ending =
        () -> {
          process.close();
          registry.close();
        };
    return new ManagerMetrics(registry, ending, observations, histograms, scheduler);
  }

  /** Where all meters are. */
  public MeterRegistry registry() {
    return registry;
  }

  /** Who observes reconciles and requests. */
  public ObservationRegistry observations() {
    return observations;
  }

  /**
   * Measures one more cluster.
   *
   * @param name what it is called in labels; if it is taken, or there are too many, that is {@code
   *     other}
   * @param address of its API server
   */
  public ClusterMetrics cluster(String name, String address) {
    boolean own = clusters.size() < MAX_CLUSTERS && !clusters.containsKey(name);
    String label = own ? name : InformerMetrics.OTHER;
    if (!own && !saidOther.getAndSet(true)) {
      log.warn(
          "The cluster {}, and those that follow it, are counted together as '{}': metrics tell {}"
              + " clusters apart, by their names",
          OneLine.of(name, 100),
          InformerMetrics.OTHER,
          MAX_CLUSTERS);
    }
    String key = own ? name : InformerMetrics.OTHER + " " + others.incrementAndGet();
    String host = clusters.size() < MAX_CLUSTERS ? host(address) : InformerMetrics.OTHER;
    RequestHosts.Lease requests = hosts.acquire(host);
    ClusterMetrics cluster =
        new ClusterMetrics(
            registry,
            label,
            scheduler,
            requests.listener().and(RequestObservations.of(observations, host)),
            () -> {
              requests.close();
              clusters.remove(key);
            });
    clusters.put(key, cluster);
    return cluster;
  }

  private static String host(String address) {
    String host = URI.create(address).getAuthority();
    // Behind the name and password of a user, which are nobody's business.
    return host == null ? "unknown" : host.substring(host.lastIndexOf('@') + 1);
  }

  /** Shows whether this replica leads, from now on. */
  public void watch(String lease, LeaderElector elector) {
    meters.gauge(
        "leader_election_master_status",
        "1 if this replica leads, and its fence holds",
        () -> elector.status().leading() && elector.fence().holds() ? 1 : 0,
        "name",
        lease);
    meters.count(
        "windlass_leader_election_terms_total",
        "Times that this replica has begun to lead",
        () -> elector.status().terms(),
        "name",
        lease);
    meters.gauge(
        "windlass_leader_election_troubled",
        "1 if the lease could not be read or written at the last attempt",
        () -> elector.trouble().isPresent() ? 1 : 0,
        "name",
        lease);
  }

  /** Shows how many Events are dropped, from now on. */
  public void watch(EventBroadcaster events) {
    meters.count(
        "windlass_events_dropped_total",
        "Kubernetes Events that were dropped: too many, incomplete, or refused by the server",
        events::dropped);
  }

  /** Shows how often the certificate of the metrics endpoint is read, from now on. */
  public void certificate(LongSupplier reads, LongSupplier failures) {
    meters.count(
        "certwatcher_read_certificate_total",
        "Times that the certificate of the metrics endpoint was read",
        reads::getAsLong);
    meters.count(
        "certwatcher_read_certificate_errors_total",
        "Times that the certificate of the metrics endpoint could not be read or used",
        failures::getAsLong);
  }

  /** Removes everything that is left, and closes the registry if it is our own. */
  @Override
  public void close() {
    List.copyOf(clusters.values()).forEach(ClusterMetrics::close);
    meters.close();
    ending.run();
  }
}
