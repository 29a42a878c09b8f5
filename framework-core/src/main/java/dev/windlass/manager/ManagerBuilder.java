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
import dev.windlass.manager.connection.ConnectionResources;
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
 * Builds a {@link Manager}. By default, the manager finds the API server in the same way as
 * kubectl, or through a Pod's ServiceAccount. A setting that is not made here is read from its
 * system property ({@code windlass.stop-timeout}), and then from its environment variable ({@code
 * WINDLASS_STOP_TIMEOUT}); see {@link Setting}. This class is not thread-safe.
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
  EnvironmentSettings settings = EnvironmentSettings.ofProcess();
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

  /** Sets the kubeconfig file, which replaces those in the default locations. */
  public ManagerBuilder kubeconfig(Path file) {
    access.kubeconfig = given(file, "kubeconfig");
    return this;
  }

  /**
   * Sets the API server's address, which overrides the address in a kubeconfig. Without {@link
   * #kubeconfig}, no kubeconfig is read, so there are no credentials.
   */
  public ManagerBuilder master(String address) {
    access.master = given(address, "master");
    return this;
  }

  /**
   * Reads settings from a framework's configuration, by their property names ({@link Setting}).
   * System properties and environment variables are then ignored.
   */
  public ManagerBuilder settings(Function<String, @Nullable String> configuration) {
    return settings(EnvironmentSettings.of(given(configuration, "settings")));
  }

  /** Sets the client configuration to use. */
  public ManagerBuilder config(Config other) {
    access.config = given(other, "config");
    return this;
  }

  /**
   * Sets the client to use. The caller remains responsible for closing it after the manager has
   * stopped. This client reads CA and certificate files only once, whereas the manager's own client
   * reloads them when they change.
   */
  public ManagerBuilder client(KubernetesClient other) {
    given = given(other, "client");
    return this;
  }

  /** Restricts caches, and thus controllers, to one namespace. The default is all namespaces. */
  public ManagerBuilder namespace(String namespace) {
    scope = WatchScope.namespace(given(namespace, "namespace"));
    return this;
  }

  /**
   * Restricts the cached objects of some types, for all calls that name only the type. This applies
   * to {@code forType}, {@code owns}, {@code watches}, {@link Manager#cache} and reads through
   * {@link Manager#client()}. Several specs of one type can differ in their namespace. {@link
   * #build()} rejects contradictory specs.
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

  /** Adds types that are never cached. They are read from the server and can't be watched. */
  @SafeVarargs
  public final ManagerBuilder neverCache(Class<? extends HasMetadata>... types) {
    caching.never(types);
    return this;
  }

  /**
   * Sets how informers list and watch. The default is {@link HttpListerWatcher}. fabric8's mock
   * server requires {@code MockApiServer::connector} of the test kit.
   */
  public ManagerBuilder connector(Connector other) {
    connector = given(other, "connector");
    return this;
  }

  /** Sets the clock, threads and randomness. The defaults are those of the system. */
  public ManagerBuilder informerOptions(InformerOptions other) {
    informerOptions = given(other, "informerOptions");
    return this;
  }

  /** Sets the wall clock, for example for the times in Events. The default is the system clock. */
  public ManagerBuilder clock(Clock other) {
    clock = given(other, "clock");
    return this;
  }

  /**
   * Sets the time limit for the whole stop. The default is 25 s, so that the process has exited
   * before the kubelet kills it after 30 s (controller-runtime: 30 s).
   */
  public ManagerBuilder stopTimeout(Duration limit) {
    stopTimeout = given(limit, "stopTimeout");
    return this;
  }

  /**
   * Sets how many Events each recorder may send per second, with bursts of twice as many. The
   * default is 50. At most 10,000 Events are pending. Warnings are sent first and dropped last.
   */
  public ManagerBuilder eventsPerSecond(int number) {
    eventsPerSecond = number;
    return this;
  }

  /**
   * Sets whether reads from caches include this process's own writes. The default is true. Reads
   * through {@link Manager#client()} include writes through {@link Manager#kubernetesClient()}.
   */
  public ManagerBuilder readYourWrites(boolean wanted) {
    readYourWrites = wanted;
    return this;
  }

  /** Sets whether writes that would have no effect are skipped. The default is true. */
  public ManagerBuilder skipNoOpWrites(boolean wanted) {
    clientSettings = clientSettings.withSkipNoOps(wanted);
    return this;
  }

  /**
   * Sets whether a type is cached after {@link Manager#client()} has first read it, as in
   * controller-runtime. The default is false. Secrets are cached only if a controller or {@link
   * Manager#cache} requests it. A read never waits for a cache.
   */
  public ManagerBuilder cacheOnFirstUse(boolean wanted) {
    clientSettings = clientSettings.withCacheOnFirstUse(wanted);
    return this;
  }

  /**
   * Sets the field owner for writes through {@link Manager#client()} outside reconciles. Within a
   * reconcile, it is the name of the controller. Without this setting, an apply outside reconciles
   * is rejected, and for other writes the server uses the beginning of the user agent.
   */
  public ManagerBuilder fieldOwner(String owner) {
    clientSettings = clientSettings.withFieldOwner(given(owner, "fieldOwner"));
    return this;
  }

  /**
   * Enables leader election among all replicas. Components of {@link Phase#LEADER}, mainly
   * controllers, then run only on the leader. By default, no leader is elected, and every replica
   * acts as a leader.
   */
  public ManagerBuilder leaderElection(LeaderElectionOptions options) {
    leaderElection = given(options, "leaderElection");
    return this;
  }

  /**
   * Sets whether the manager checks its permissions at the start and logs a warning for each
   * missing permission. The default is true.
   */
  public ManagerBuilder checkRights(boolean wanted) {
    checkRights = wanted;
    return this;
  }

  /** Sets the reaction to the loss of a lease. The default is {@link OnLeadershipLost#STOP}. */
  public ManagerBuilder onLeadershipLost(OnLeadershipLost reaction) {
    onLost = given(reaction, "onLeadershipLost");
    return this;
  }

  /**
   * Sets the registry for the meters of the framework and the program. The caller remains
   * responsible for closing it; a manager that stops removes its meters. Each manager needs its own
   * registry, because two managers would add up their counts and remove each other's meters. By
   * default, the manager creates a registry; see {@link ManagerMetrics#own}.
   */
  public ManagerBuilder meterRegistry(MeterRegistry registry) {
    meterRegistry = given(registry, "meterRegistry");
    return this;
  }

  /**
   * Sets the registry that observes each reconcile and each request to an API server. If it has a
   * tracing handler, each of them becomes a span. By default, nothing is observed.
   */
  public ManagerBuilder observationRegistry(ObservationRegistry registry) {
    observations = given(registry, "observationRegistry");
    return this;
  }

  /**
   * Sets whether the duration and size of requests to API servers are measured ({@code
   * rest_client_request_*_seconds}, {@code rest_client_*_size_bytes}, by method and host). By
   * default, requests are only counted. The property is {@code
   * windlass.metrics.request-histograms}.
   */
  public ManagerBuilder requestHistograms(boolean wanted) {
    endpoints.requestHistograms = wanted;
    return this;
  }

  /**
   * Sets the address that serves {@code /healthz}, {@code /livez} and {@code /readyz}, over plain
   * HTTP and to any caller: {@code :8081}, {@code 127.0.0.1:8081}, or {@code [::1]:0} for a port
   * that the system chooses. By default, or if the address is empty or {@code 0}, they are off.
   *
   * @throws IllegalArgumentException if the address has none of these forms
   */
  public ManagerBuilder healthProbeBindAddress(String address) {
    endpoints.probes = EndpointSettings.checked(given(address, "healthProbeBindAddress"));
    return this;
  }

  /**
   * Sets the address that serves {@code /metrics} and {@code /debug/windlass}. By default, they are
   * off. Without authentication, any caller can read the metrics, and the diagnosis is served only
   * at a loopback address, to callers on the same host or in the same Pod.
   *
   * @throws IllegalArgumentException if the address has none of the forms of a probe address
   */
  public ManagerBuilder metricsBindAddress(String address) {
    endpoints.metrics = EndpointSettings.checked(given(address, "metricsBindAddress"));
    return this;
  }

  /**
   * Sets the source of {@code /metrics}. By default, it is the meter registry, if that is a
   * Prometheus registry.
   */
  public ManagerBuilder metricsText(Supplier<String> text) {
    endpoints.metricsText = given(text, "metricsText");
    return this;
  }

  /** Enables TLS for metrics. The PEM files are read again every 10 s. By default, TLS is off. */
  public ManagerBuilder metricsTls(Path certificate, Path key) {
    endpoints.certificate =
        new ServerCertificate(given(certificate, "metricsTls"), given(key, "metricsTls"));
    return this;
  }

  /**
   * Sets whether callers of the metrics endpoint need a token that the API server authenticates and
   * authorises to {@code get} the path ({@link dev.windlass.http.auth.TokenReviewAuthorizer}). The
   * default is false.
   */
  public ManagerBuilder metricsAuthentication(boolean wanted) {
    endpoints.authentication = wanted;
    return this;
  }

  /**
   * Sets when a controller counts as wedged, and how the manager reacts.
   *
   * @param after how long reconciles that exceed their time-out must have held all workers of the
   *     controller; 10 min by default. Without a reconcile time-out, no controller counts as wedged
   * @param reaction the reaction of the manager; {@link OnWedged#REPORT} by default
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
    ConnectionResources made =
        ConnectionResources.open(given, config, readYourWrites, informerOptions, metrics);
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
  Connection connect(ConnectionResources opened) {
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

  /** Sets the source of settings made outside the program. Tests also use this method. */
  ManagerBuilder settings(EnvironmentSettings others) {
    settings = others;
    endpoints.outside(others);
    return this;
  }

  /** Sets the factory of electors. Tests use this method to keep the Lease in memory. */
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
