// SPDX-License-Identifier: Apache-2.0
package dev.windlass.metrics;

import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.leader.LeaderElector;
import dev.windlass.logging.OneLine;
import dev.windlass.scheduling.Scheduler;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of one manager. They cover the clusters to which the manager connects, the leases for
 * which it competes, and the Events that it records. Controllers record their own metrics. Each
 * manager has its own instance and registry, so the metrics of several managers in one process are
 * independent. This class is thread-safe.
 */
public final class ManagerMetrics implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(ManagerMetrics.class);

  /**
   * The maximum number of clusters that have their own series. Further clusters share one series.
   */
  static final int MAX_CLUSTERS = 50;

  /**
   * The registries of running managers. Two managers would report different values as one meter.
   */
  private static final Set<MeterRegistry> IN_USE =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final MeterRegistry registry;

  private final Runnable ending;

  private final ObservationRegistry observations;
  private final Scheduler scheduler;
  private final Meters meters;

  /**
   * The metrics of each cluster. The key is the cluster's name, or a unique key if the cluster does
   * not have its own series.
   */
  private final Map<String, ClusterMetrics> clusters = new ConcurrentHashMap<>();

  /**
   * The number of clusters without their own series that have been created so far. It makes their
   * keys in {@code clusters} unique.
   */
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
   * Creates metrics in the given registry, like {@link #on}. If the registry is null, creates
   * metrics in a new registry, like {@link #own}.
   *
   * @param registry the registry, or null to create one
   */
  public static ManagerMetrics of(
      @Nullable MeterRegistry registry,
      ObservationRegistry observations,
      boolean histograms,
      Scheduler scheduler) {
    return registry == null
        ? own(observations, histograms, scheduler)
        : on(registry, observations, histograms, scheduler);
  }

  /**
   * Creates metrics in a registry that the caller owns. {@link #close} removes all meters of this
   * instance from the registry.
   *
   * @param observations the registry for observations of reconciles and requests; can be {@link
   *     ObservationRegistry#NOOP}
   * @param histograms whether to measure the durations and sizes of requests to the API server; the
   *     requests are always counted
   * @throws IllegalArgumentException if a running manager uses the registry
   */
  public static ManagerMetrics on(
      MeterRegistry registry,
      ObservationRegistry observations,
      boolean histograms,
      Scheduler scheduler) {
    if (!IN_USE.add(registry)) {
      throw new IllegalArgumentException(
          "another manager of this process uses the same meter registry, so that some of its values"
              + " would be reported for both; pass a CompositeMeterRegistry with a common tag that"
              + " names the manager, and add the shared registry to it");
    }
    Runnable ending = () -> IN_USE.remove(registry);
    return new ManagerMetrics(registry, ending, observations, histograms, scheduler);
  }

  /**
   * Creates metrics in a new registry, which also contains the {@link ProcessMetrics}. If {@code
   * micrometer-registry-prometheus} is on the class path, the registry is a Prometheus registry.
   * Otherwise, it is a composite, which does not record anything until another registry is added to
   * it.
   */
  public static ManagerMetrics own(
      ObservationRegistry observations, boolean histograms, Scheduler scheduler) {
    MeterRegistry registry = DefaultRegistries.create(DefaultRegistries.hasPrometheus());
    ProcessMetrics process = new ProcessMetrics();
    process.bindTo(registry);
    Runnable ending =
        () -> {
          process.close();
          registry.close();
        };
    return new ManagerMetrics(registry, ending, observations, histograms, scheduler);
  }

  public MeterRegistry registry() {
    return registry;
  }

  public ObservationRegistry observations() {
    return observations;
  }

  /**
   * Creates the metrics of a cluster.
   *
   * @param name the cluster's name in labels. If this name is already in use or there are too many
   *     clusters, the name {@code other} is used instead
   * @param address the address of the cluster's API server
   */
  public ClusterMetrics cluster(String name, String address) {
    boolean own = clusters.size() < MAX_CLUSTERS && !clusters.containsKey(name);
    String label = own ? name : InformerMetrics.OTHER;
    if (!own && !saidOther.getAndSet(true)) {
      log.warn(
          "The metrics of the cluster {} and of later ones are combined as '{}': metrics"
              + " distinguish {} clusters by name",
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
    // The user name and the password are removed, because they must not be revealed.
    return host == null ? "unknown" : host.substring(host.lastIndexOf('@') + 1);
  }

  /**
   * Adds metrics that report whether this replica is the leader, how often it has become the
   * leader, and whether its last attempt to read or write the lease failed.
   */
  public void watch(String lease, LeaderElector elector) {
    meters.gauge(
        "leader_election_master_status",
        "1 if this replica leads and its fence is open",
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
        "windlass_leader_election_failing",
        "1 if the lease could not be read or written at the last attempt",
        () -> elector.problem().isPresent() ? 1 : 0,
        "name",
        lease);
  }

  /**
   * Adds metrics that report how many shards this replica owns, how many it should own, and whether
   * any has no owner.
   *
   * @param name the name with which the names of the shards' Leases begin
   * @param unowned how long the shard that has been without an owner longest has been so
   */
  public void shards(
      String name, IntSupplier owned, IntSupplier share, Supplier<Duration> unowned) {
    meters.gauge(
        "windlass_shards_owned", "Shards that this replica owns", owned::getAsInt, "name", name);
    meters.gauge(
        "windlass_shards_share",
        "Shards that this replica should own, as far as it knows",
        share::getAsInt,
        "name",
        name);
    meters.seconds(
        "windlass_shards_longest_unowned_seconds",
        "How long a shard has been without an owner, as far as this replica knows",
        unowned::get,
        "name",
        name);
  }

  public void watch(EventBroadcaster events) {
    meters.count(
        "windlass_events_dropped_total",
        "Kubernetes Events that were dropped: too many, incomplete, or rejected by the server",
        events::dropped);
  }

  public void permissions(IntSupplier missing) {
    meters.gauge(
        "windlass_permissions_missing",
        "Permissions that the program declares, but that it has not been granted",
        missing::getAsInt);
  }

  /**
   * Adds metrics that report how often the certificate of the metrics endpoint has been read, and
   * how many of these reads have failed.
   */
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

  /**
   * Removes all remaining meters of this manager. Closes the registry if {@link #own} created it.
   */
  @Override
  public void close() {
    List.copyOf(clusters.values()).forEach(ClusterMetrics::close);
    meters.close();
    ending.run();
  }
}
