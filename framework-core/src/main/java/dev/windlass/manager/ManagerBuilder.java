// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.manager.Given.given;

import dev.windlass.client.CachedClient;
import dev.windlass.client.OwnWrites;
import dev.windlass.events.EventBroadcaster;
import dev.windlass.http.ServerCertificate;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.feed.ListerWatcher;
import dev.windlass.informer.feed.WatchScope;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.metrics.ClusterMetrics;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.object.Transform;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Manager}. Without any, it finds the API server as kubectl does, or as a
 * Pod's ServiceAccount does. What is not set here is taken from system properties ({@code
 * windlass.stop-timeout}), and then from the environment ({@code WINDLASS_STOP_TIMEOUT});
 * docs/guides/leader-election.md has the table. For use by one thread.
 */
public final class ManagerBuilder {

  private final ClientConfig access = new ClientConfig();
  @Nullable KubernetesClient given;
  private @Nullable Opening opening;
  private @Nullable Connector connector;
  private @Nullable WatchScope scope;
  private InformerOptions informerOptions = InformerOptions.defaults();
  private Clock clock = Clock.systemUTC();
  private boolean readYourWrites = true;
  private CachedClient.Settings clientSettings = CachedClient.Settings.DEFAULT;
  private @Nullable Duration stopTimeout;
  private @Nullable Integer eventsPerSecond;
  private @Nullable LeaderElectionOptions leaderElection;
  private @Nullable OnLeadershipLost onLost;
  private boolean checkRights = true;
  private Settings settings = Settings.ofProcess();
  private Electors electors = LeaderElector::create;
  @Nullable MeterRegistry meterRegistry;
  ObservationRegistry observations = ObservationRegistry.NOOP;
  private final EndpointSettings endpoints = new EndpointSettings();
  final Caching caching = new Caching();

  /** How informers reach the API server, given the manager's client. */
  @FunctionalInterface
  public interface Connector {

    /** Connects with the client. */
    SharedInformerFactory.Connector with(KubernetesClient client);
  }

  ManagerBuilder() {}

  /** The kubeconfig file to use instead of those in the usual places. */
  public ManagerBuilder kubeconfig(Path file) {
    access.kubeconfig = given(file, "kubeconfig");
    return this;
  }

  /** The address of the API server, over any that a kubeconfig names. */
  public ManagerBuilder master(String address) {
    access.master = given(address, "master");
    return this;
  }

  /**
   * Reads settings by their property names ({@link Setting}) from the configuration of a framework,
   * in place of system properties and environment variables.
   */
  public ManagerBuilder settings(Function<String, @Nullable String> configuration) {
    return settings(Settings.of(given(configuration, "settings")));
  }

  /** The client configuration to use. */
  public ManagerBuilder config(Config other) {
    access.config = given(other, "config");
    return this;
  }

  /**
   * The client to use; it stays the caller's to close, after the manager. It reads the files with
   * CA and certificate once, where the manager's own follows their changes.
   */
  public ManagerBuilder client(KubernetesClient other) {
    given = given(other, "client");
    return this;
  }

  /** Caches, and so controllers, are restricted to one namespace. By default they are not. */
  public ManagerBuilder namespace(String namespace) {
    scope = WatchScope.namespace(given(namespace, "namespace"));
    return this;
  }

  /**
   * Restricts what is cached of these types, wherever only the type is named: by {@code forType},
   * {@code owns}, {@code watches}, {@link Manager#cache} and the reads of {@link Manager#client()}.
   * Several specs of one type may differ in their namespace. {@link #build()} refuses what
   * contradicts itself.
   */
  public ManagerBuilder cache(InformerSpec<?>... specs) {
    caching.add(specs);
    return this;
  }

  /** Changes each object before it is cached, of all types without a spec of their own. */
  public ManagerBuilder cacheTransform(Transform transform) {
    caching.transform(given(transform, "cacheTransform"));
    return this;
  }

  /** Types that nothing may cache: they are read from the server, and can't be watched. */
  @SafeVarargs
  public final ManagerBuilder neverCache(Class<? extends HasMetadata>... types) {
    caching.never(types);
    return this;
  }

  /**
   * How informers list and watch; {@link ListerWatcher#http} by default. fabric8's mock server
   * needs {@code MockApiServer::connector} of the test kit.
   */
  public ManagerBuilder connector(Connector other) {
    connector = given(other, "connector");
    return this;
  }

  /** Clock, threads, randomness; by default the system's. */
  public ManagerBuilder informerOptions(InformerOptions other) {
    informerOptions = given(other, "informerOptions");
    return this;
  }

  /** The wall clock, for the times in Events; by default the system's. */
  public ManagerBuilder clock(Clock other) {
    clock = given(other, "clock");
    return this;
  }

  /**
   * Sets how long a stop may take altogether; 25 s by default, so that the process has exited
   * before the kubelet kills it after 30 s (controller-runtime: 30 s).
   */
  public ManagerBuilder stopTimeout(Duration limit) {
    stopTimeout = given(limit, "stopTimeout");
    return this;
  }

  /**
   * Sets how many Events each recorder may send in a second, and twice as many at once; 50 by
   * default. What waits is bounded by 10,000; Warnings are sent first, and dropped last.
   */
  public ManagerBuilder eventsPerSecond(int number) {
    eventsPerSecond = number;
    return this;
  }

  /**
   * Whether reads from caches are as new as what this process wrote; by default they are. Applies
   * to {@link Manager#client()}, and to writes through {@link Manager#kubernetesClient()} as well.
   */
  public ManagerBuilder readYourWrites(boolean wanted) {
    readYourWrites = wanted;
    return this;
  }

  /** Whether writes that would change nothing are left out; by default they are. */
  public ManagerBuilder skipNoOpWrites(boolean wanted) {
    clientSettings = clientSettings.withSkipNoOps(wanted);
    return this;
  }

  /**
   * Whether a type that {@link Manager#client()} reads for the first time is cached from then on,
   * as controller-runtime does. By default it is not; Secrets never are, unless a controller or
   * {@link Manager#cache} asks for them. No read waits for a cache.
   */
  public ManagerBuilder cacheOnFirstUse(boolean wanted) {
    clientSettings = clientSettings.withCacheOnFirstUse(wanted);
    return this;
  }

  /**
   * Who owns the fields that {@link Manager#client()} writes outside of reconciles. In a reconcile
   * it is the name of the controller. Without this, an apply outside of a reconcile is refused, and
   * the server takes the beginning of the user agent for other writes.
   */
  public ManagerBuilder fieldOwner(String owner) {
    clientSettings = clientSettings.withFieldOwner(given(owner, "fieldOwner"));
    return this;
  }

  /**
   * Elects a leader among all replicas with these options; what starts in {@link Phase#LEADER},
   * controllers above all, runs on the leader only. By default no leader is elected, and each
   * replica is one.
   */
  public ManagerBuilder leaderElection(LeaderElectionOptions options) {
    leaderElection = given(options, "leaderElection");
    return this;
  }

  /** Whether the start asks which rights are missing, and warns of each; by default it does. */
  public ManagerBuilder checkRights(boolean wanted) {
    checkRights = wanted;
    return this;
  }

  /** What to do when a lease is lost; {@link OnLeadershipLost#STOP} by default. */
  public ManagerBuilder onLeadershipLost(OnLeadershipLost reaction) {
    onLost = given(reaction, "onLeadershipLost");
    return this;
  }

  /**
   * Where the framework's meters go, and yours. It stays yours to close; when the manager stops,
   * its meters are removed from it. Give each manager another one: two would count together, and
   * remove each other's. By default a manager has its own, see {@link ManagerMetrics#own}.
   */
  public ManagerBuilder meterRegistry(MeterRegistry registry) {
    meterRegistry = given(registry, "meterRegistry");
    return this;
  }

  /**
   * Who observes each reconcile and each request to an API server: a span each, if the registry has
   * a tracing handler. By default nobody does, which costs nothing.
   */
  public ManagerBuilder observationRegistry(ObservationRegistry registry) {
    observations = given(registry, "observationRegistry");
    return this;
  }

  /**
   * Whether requests to API servers are timed and weighed ({@code rest_client_request_*_seconds},
   * {@code rest_client_*_size_bytes}, by method and host); by default they are only counted. Also
   * {@code windlass.metrics.request-histograms}.
   */
  public ManagerBuilder requestHistograms(boolean wanted) {
    endpoints.requestHistograms = wanted;
    return this;
  }

  /**
   * Where {@code /healthz}, {@code /livez} and {@code /readyz} are served, in plain HTTP and to
   * everybody: {@code :8081}, {@code 127.0.0.1:8081}, {@code [::1]:0} for a port that the system
   * chooses; {@code 0} or empty, the default, for nowhere.
   *
   * @throws IllegalArgumentException by {@link #build()}, if it is none of these
   */
  public ManagerBuilder healthProbeBindAddress(String address) {
    endpoints.probes = given(address, "healthProbeBindAddress");
    return this;
  }

  /**
   * Where {@code /metrics} and {@code /debug/windlass} are served, as above; nowhere by default.
   * Without authentication everybody may read the metrics, and who is on the same host or Pod the
   * diagnosis.
   */
  public ManagerBuilder metricsBindAddress(String address) {
    endpoints.metrics = given(address, "metricsBindAddress");
    return this;
  }

  /** What {@code /metrics} shows; by default the meter registry, if it is one of Prometheus. */
  public ManagerBuilder metricsText(Supplier<String> text) {
    endpoints.metricsText = given(text, "metricsText");
    return this;
  }

  /** Encrypts the metrics endpoint; the PEM files are read again every 10 s. Off by default. */
  public ManagerBuilder metricsTls(Path certificate, Path key) {
    endpoints.certificate =
        new ServerCertificate(given(certificate, "metricsTls"), given(key, "metricsTls"));
    return this;
  }

  /**
   * Whether readers of the metrics endpoint need a token that the API server knows and allows to
   * {@code get} the path ({@link dev.windlass.http.auth.ReviewingGatekeeper}); false by default.
   */
  public ManagerBuilder metricsAuthentication(boolean wanted) {
    endpoints.authentication = wanted;
    return this;
  }

  /**
   * When a controller counts as wedged, and what happens then.
   *
   * @param after for how long all its workers have been held by reconciles that go on past their
   *     time-out; 10 min by default. Without a time-out of reconciles none is
   * @param reaction {@link OnWedged#REPORT} by default
   */
  public ManagerBuilder wedgedWorkers(Duration after, OnWedged reaction) {
    endpoints.wedgedAfter = given(after, "wedgedWorkers");
    endpoints.onWedged = given(reaction, "wedgedWorkers");
    return this;
  }

  /**
   * Builds the manager. Does not talk to the API server.
   *
   * @throws IllegalArgumentException if the kubeconfig, a system property or a variable can't be
   *     used, saying why and what to do
   */
  public Manager build() {
    endpoints.check();
    Opening made = Opening.of(this);
    opening = made;
    Manager manager = null;
    try {
      manager = new Manager(this);
      return manager;
    } finally {
      if (manager == null) {
        made.close(); // nothing is left of a manager that could not be made
      }
    }
  }

  /** What this build has opened. */
  private Opening opened() {
    return Objects.requireNonNull(opening, "nothing is open before build()");
  }

  /** How to reach the manager's own cluster. */
  Config chosenConfig() {
    return given != null
        ? given.getConfiguration()
        : access.choose(settings, informerOptions.scheduler(), clock);
  }

  KubernetesClient client() {
    return opened().client();
  }

  ManagerMetrics metrics() {
    return opened().metrics();
  }

  /** Of the manager's own cluster. */
  ClusterMetrics ownMetrics() {
    return opened().ownMetrics();
  }

  boolean readYourWrites() {
    return readYourWrites;
  }

  Optional<OwnWrites> ownWrites() {
    return opened().ownWrites();
  }

  CachedClient.Settings clientSettings() {
    return clientSettings;
  }

  boolean ownsClient() {
    return given == null;
  }

  /** How a cluster is reached. */
  SharedInformerFactory.Connector connector(KubernetesClient client) {
    return connector == null
        ? (type, watched) -> ListerWatcher.http(client, type, watched)
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
    return eventsPerSecond != null
        ? eventsPerSecond
        : settings.number(Setting.EVENTS_PER_SECOND, 1, 1000).orElse(EventBroadcaster.PER_SECOND);
  }

  EventBroadcaster events() {
    return new EventBroadcaster(
        client(), informerOptions.scheduler(), clock, informerOptions.threads(), eventsPerSecond());
  }

  Optional<LeaderElectionOptions> leaderElection() {
    return Optional.ofNullable(leaderElection).or(settings::leaderElection);
  }

  /** For tests: what is set from outside of the program. */
  ManagerBuilder settings(Settings others) {
    settings = others;
    endpoints.outside(others);
    return this;
  }

  EndpointSettings endpoints() {
    return endpoints;
  }

  /** For tests, which have a Lease in memory. */
  ManagerBuilder electors(Electors others) {
    electors = others;
    return this;
  }

  Electors electors() {
    return electors;
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
        : settings.duration(Setting.STOP_TIMEOUT).orElse(Endings.STOP_TIMEOUT);
  }
}
