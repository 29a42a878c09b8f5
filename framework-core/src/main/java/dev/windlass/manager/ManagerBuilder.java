// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.manager.ArgumentChecks.given;

import dev.windlass.client.CachedClient;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.informer.feed.http.HttpListerWatcher;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.manager.connection.Connection;
import dev.windlass.manager.connection.OpenedResources;
import dev.windlass.manager.kubeconfig.ClientConfig;
import dev.windlass.manager.shutdown.StopSequence;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.metrics.Scrape;
import dev.windlass.object.Transform;
import dev.windlass.tls.ServerCertificate;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Manager}. Without any settings, the manager finds the API server as kubectl does,
 * or through a Pod's ServiceAccount. Settings that are not made here are taken from system
 * properties ({@code windlass.stop-timeout}), and then from the environment ({@code
 * WINDLASS_STOP_TIMEOUT}); {@link Setting} lists them. For use by one thread.
 */
public final class ManagerBuilder {

  final ClientConfig access = new ClientConfig();
  @Nullable KubernetesClient given;
  private @Nullable Connector connector;
  @Nullable WatchScope scope;
  private InformerOptions informerOptions = InformerOptions.defaults();
  private Clock clock = Clock.systemUTC();
  private boolean readYourWrites = true;
  private CachedClient.Settings clientSettings = CachedClient.Settings.DEFAULT;
  @Nullable Duration stopTimeout;
  @Nullable Integer eventsPerSecond;
  @Nullable LeaderElectionOptions leaderElection;
  @Nullable OnLeadershipLost onLost;
  private boolean checkRights = true;
  ExternalSettings settings = ExternalSettings.ofProcess();
  ElectorFactory electors = LeaderElector::create;
  private @Nullable MeterRegistry meterRegistry;
  private ObservationRegistry observations = ObservationRegistry.NOOP;
  final EndpointSettings endpoints = new EndpointSettings();
  private final CacheSettings caching = new CacheSettings();

  /** Connects informers to the API server through the manager's client. */
  @FunctionalInterface
  public interface Connector {

    /** Returns a connector that uses the client. */
    SharedInformerFactory.Connector with(KubernetesClient client);
  }

  ManagerBuilder() {}

  /** Sets the kubeconfig file to use instead of those in the default locations. */
  public ManagerBuilder kubeconfig(Path file) {
    access.kubeconfig = given(file, "kubeconfig");
    return this;
  }

  /** Sets the address of the API server, which overrides the one in a kubeconfig. */
  public ManagerBuilder master(String address) {
    access.master = given(address, "master");
    return this;
  }

  /**
   * Reads settings by their property names ({@link Setting}) from a framework's configuration
   * instead of from system properties and environment variables.
   */
  public ManagerBuilder settings(Function<String, @Nullable String> configuration) {
    return settings(ExternalSettings.of(given(configuration, "settings")));
  }

  /** Sets the client configuration to use. */
  public ManagerBuilder config(Config other) {
    access.config = given(other, "config");
    return this;
  }

  /**
   * Sets the client to use. The caller remains responsible for closing it after the manager has
   * stopped. This client reads the CA and certificate files once, whereas the manager's own client
   * reloads them when they change.
   */
  public ManagerBuilder client(KubernetesClient other) {
    given = given(other, "client");
    return this;
  }

  /**
   * Restricts caches, and therefore controllers, to one namespace. By default they are not
   * restricted.
   */
  public ManagerBuilder namespace(String namespace) {
    scope = WatchScope.namespace(given(namespace, "namespace"));
    return this;
  }

  /**
   * Restricts which objects of these types are cached, wherever only the type is named: in {@code
   * forType}, {@code owns}, {@code watches}, {@link Manager#cache} and reads through {@link
   * Manager#client()}. Several specs of one type may differ in their namespace. {@link #build()}
   * rejects contradictory specs.
   */
  public ManagerBuilder cache(InformerSpec<?>... specs) {
    caching.add(specs);
    return this;
  }

  /** Sets the transform of objects before they are cached, for all types without their own spec. */
  public ManagerBuilder cacheTransform(Transform transform) {
    caching.transform(given(transform, "cacheTransform"));
    return this;
  }

  /** Adds types that are never cached: they are read from the server, and can't be watched. */
  @SafeVarargs
  public final ManagerBuilder neverCache(Class<? extends HasMetadata>... types) {
    caching.never(types);
    return this;
  }

  /**
   * Sets how informers list and watch; {@link HttpListerWatcher} by default. fabric8's mock server
   * needs {@code MockApiServer::connector} of the test kit.
   */
  public ManagerBuilder connector(Connector other) {
    connector = given(other, "connector");
    return this;
  }

  /** Sets the clock, threads and randomness; by default the system's. */
  public ManagerBuilder informerOptions(InformerOptions other) {
    informerOptions = given(other, "informerOptions");
    return this;
  }

  /** Sets the wall clock, for example for the times in Events; by default the system's. */
  public ManagerBuilder clock(Clock other) {
    clock = given(other, "clock");
    return this;
  }

  /**
   * Sets how long a stop may take in total; 25 s by default, so that the process has exited before
   * the kubelet kills it after 30 s (controller-runtime: 30 s).
   */
  public ManagerBuilder stopTimeout(Duration limit) {
    stopTimeout = given(limit, "stopTimeout");
    return this;
  }

  /**
   * Sets how many Events each recorder may send per second, with bursts of twice as many; 50 by
   * default. At most 10,000 Events wait; Warnings are sent first, and dropped last.
   */
  public ManagerBuilder eventsPerSecond(int number) {
    eventsPerSecond = number;
    return this;
  }

  /**
   * Sets whether reads from caches include this process's own writes; by default they do. Applies
   * to {@link Manager#client()}, and to writes through {@link Manager#kubernetesClient()} as well.
   */
  public ManagerBuilder readYourWrites(boolean wanted) {
    readYourWrites = wanted;
    return this;
  }

  /** Sets whether writes that would change nothing are skipped; by default they are. */
  public ManagerBuilder skipNoOpWrites(boolean wanted) {
    clientSettings = clientSettings.withSkipNoOps(wanted);
    return this;
  }

  /**
   * Sets whether a type is cached once {@link Manager#client()} has read it for the first time, as
   * in controller-runtime. By default it is not. Secrets are cached only if a controller or {@link
   * Manager#cache} requests it. No read waits for a cache.
   */
  public ManagerBuilder cacheOnFirstUse(boolean wanted) {
    clientSettings = clientSettings.withCacheOnFirstUse(wanted);
    return this;
  }

  /**
   * Sets the field owner for writes through {@link Manager#client()} outside of reconciles. Within
   * a reconcile, the field owner is the name of the controller. Without this setting, an apply
   * outside of a reconcile is rejected, and for other writes the server uses the beginning of the
   * user agent.
   */
  public ManagerBuilder fieldOwner(String owner) {
    clientSettings = clientSettings.withFieldOwner(given(owner, "fieldOwner"));
    return this;
  }

  /**
   * Elects a leader among all replicas with these options. Components that start in {@link
   * Phase#LEADER}, mainly controllers, run only on the leader. By default no leader is elected, and
   * every replica acts as a leader.
   */
  public ManagerBuilder leaderElection(LeaderElectionOptions options) {
    leaderElection = given(options, "leaderElection");
    return this;
  }

  /**
   * Sets whether the manager checks its permissions at the start and logs a warning for each
   * missing one; by default it does.
   */
  public ManagerBuilder checkRights(boolean wanted) {
    checkRights = wanted;
    return this;
  }

  /** Sets what the manager does when it loses a lease; {@link OnLeadershipLost#STOP} by default. */
  public ManagerBuilder onLeadershipLost(OnLeadershipLost reaction) {
    onLost = given(reaction, "onLeadershipLost");
    return this;
  }

  /**
   * Sets the registry for the framework's meters and yours. You remain responsible for closing it;
   * when the manager stops, it removes its meters from it. Give each manager its own registry: two
   * managers that share one would add up their counts and remove each other's meters. By default a
   * manager creates a registry; see {@link ManagerMetrics#own}.
   */
  public ManagerBuilder meterRegistry(MeterRegistry registry) {
    meterRegistry = given(registry, "meterRegistry");
    return this;
  }

  /**
   * Sets the registry that observes each reconcile and each request to an API server. If it has a
   * tracing handler, each of them becomes a span. By default nothing is observed, at no cost.
   */
  public ManagerBuilder observationRegistry(ObservationRegistry registry) {
    observations = given(registry, "observationRegistry");
    return this;
  }

  /**
   * Sets whether the duration and size of requests to API servers are measured ({@code
   * rest_client_request_*_seconds}, {@code rest_client_*_size_bytes}, by method and host); by
   * default requests are only counted. Also {@code windlass.metrics.request-histograms}.
   */
  public ManagerBuilder requestHistograms(boolean wanted) {
    endpoints.requestHistograms = wanted;
    return this;
  }

  /**
   * Sets where {@code /healthz}, {@code /livez} and {@code /readyz} are served, over plain HTTP and
   * to any caller: {@code :8081}, {@code 127.0.0.1:8081}, {@code [::1]:0} for a port that the
   * system chooses. {@code 0} or an empty address, the default, turns them off.
   *
   * @throws IllegalArgumentException if the address has none of these forms
   */
  public ManagerBuilder healthProbeBindAddress(String address) {
    endpoints.probes = EndpointSettings.checked(given(address, "healthProbeBindAddress"));
    return this;
  }

  /**
   * Sets where {@code /metrics} and {@code /debug/windlass} are served, in the same form; by
   * default they are not served. Without authentication, any caller can read the metrics, and the
   * diagnosis is served only at a loopback address, to callers on the same host or in the same Pod.
   *
   * @throws IllegalArgumentException if the address has none of these forms
   */
  public ManagerBuilder metricsBindAddress(String address) {
    endpoints.metrics = EndpointSettings.checked(given(address, "metricsBindAddress"));
    return this;
  }

  /**
   * Sets the content of {@code /metrics}; by default the meter registry, if it is a Prometheus
   * registry.
   */
  public ManagerBuilder metricsText(Supplier<String> text) {
    endpoints.metricsText = given(text, "metricsText");
    return this;
  }

  /** Encrypts the metrics endpoint. The PEM files are read again every 10 s. Off by default. */
  public ManagerBuilder metricsTls(Path certificate, Path key) {
    endpoints.certificate =
        new ServerCertificate(given(certificate, "metricsTls"), given(key, "metricsTls"));
    return this;
  }

  /**
   * Sets whether callers of the metrics endpoint need a token that the API server authenticates and
   * authorises to {@code get} the path ({@link dev.windlass.http.auth.ReviewingGatekeeper}); false
   * by default.
   */
  public ManagerBuilder metricsAuthentication(boolean wanted) {
    endpoints.authentication = wanted;
    return this;
  }

  /**
   * Sets when a controller counts as wedged, and what the manager does then.
   *
   * @param after how long reconciles that exceed their time-out must have held all workers of the
   *     controller; 10 min by default. Without a time-out for reconciles, no controller counts as
   *     wedged
   * @param reaction {@link OnWedged#REPORT} by default
   */
  public ManagerBuilder wedgedWorkers(Duration after, OnWedged reaction) {
    endpoints.wedgedAfter = given(after, "wedgedWorkers");
    endpoints.onWedged = given(reaction, "wedgedWorkers");
    return this;
  }

  /**
   * Builds the manager. Sends no requests to the API server.
   *
   * @throws IllegalArgumentException if the kubeconfig, a system property or an environment
   *     variable is invalid; the message states the cause and the remedy
   */
  public Manager build() {
    endpoints.check();
    Config config =
        given != null
            ? given.getConfiguration()
            : access.choose(
                settings.text(Setting.KUBECONFIG).map(Path::of).orElse(null),
                settings.master().orElse(null),
                informerOptions.scheduler(),
                clock);
    ManagerMetrics metrics =
        ManagerMetrics.of(
            meterRegistry,
            observations,
            endpoints.requestHistograms(),
            informerOptions.scheduler());
    OpenedResources made =
        OpenedResources.open(given, config, readYourWrites, informerOptions, metrics);
    Manager manager = null;
    try {
      endpoints.scrape = Scrape.of(metrics.registry()).map(scrape -> scrape::text);
      manager = new Manager(this, made);
      return manager;
    } finally {
      if (manager == null) {
        made.close(); // leave nothing open if the manager was not created
      }
    }
  }

  /** Connects the manager to its own cluster. */
  Connection connect(OpenedResources opened) {
    return new Connection(
        opened,
        connector(opened.client()),
        scope(),
        caching.policy(),
        informerOptions,
        clientSettings);
  }

  boolean readYourWrites() {
    return readYourWrites;
  }

  CachedClient.Settings clientSettings() {
    return clientSettings;
  }

  /** Returns the connector through which informers reach a cluster. */
  SharedInformerFactory.Connector connector(KubernetesClient client) {
    return connector == null
        ? (type, watched) -> new HttpListerWatcher(client, type, watched)
        : connector.with(client);
  }

  WatchScope scope() {
    return scope != null ? scope : settings.scope().orElse(WatchScope.ALL);
  }

  InformerOptions informerOptions() {
    return informerOptions;
  }

  Clock clock() {
    return clock;
  }

  int eventsPerSecond() {
    return eventsPerSecond != null ? eventsPerSecond : settings.eventsPerSecond();
  }

  EventBroadcaster events(KubernetesClient client) {
    return new EventBroadcaster(
        client, informerOptions.scheduler(), clock, informerOptions.threads(), eventsPerSecond());
  }

  Optional<LeaderElectionOptions> leaderElection() {
    return Optional.ofNullable(leaderElection).or(settings::leaderElection);
  }

  /** Sets the source of settings made outside the program; also for tests. */
  ManagerBuilder settings(ExternalSettings others) {
    settings = others;
    endpoints.outside(others);
    return this;
  }

  /** Sets the factory of electors. For tests, which keep the Lease in memory. */
  ManagerBuilder electors(ElectorFactory others) {
    electors = others;
    return this;
  }

  boolean checkRights() {
    return checkRights;
  }

  OnLeadershipLost onLeadershipLost() {
    return onLost != null ? onLost : settings.onLost().orElse(OnLeadershipLost.STOP);
  }

  Duration stopTimeout() {
    return stopTimeout != null
        ? stopTimeout
        : settings.duration(Setting.STOP_TIMEOUT).orElse(StopSequence.STOP_TIMEOUT);
  }
}
