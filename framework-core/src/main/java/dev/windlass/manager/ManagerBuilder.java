// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import static dev.windlass.manager.ArgumentChecks.given;

import dev.windlass.client.CachedClient;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.httpserver.BindAddress;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.informer.reflector.http.HttpListerWatcher;
import dev.windlass.kubeconfig.ClientConfig;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.leader.LeaderElector;
import dev.windlass.leader.ShardOptions;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.metrics.Scrape;
import dev.windlass.object.Transform;
import dev.windlass.scheduling.FatalErrors;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link Manager}. By default, the manager finds the API server in the same way as kubectl
 * or, in a Pod, through the ServiceAccount. If the program does not set a value here, the manager
 * uses a system property, such as {@code windlass.stop-timeout}, or else an environment variable,
 * such as {@code WINDLASS_STOP_TIMEOUT}; see {@link Setting}. This class is not thread-safe.
 */
public final class ManagerBuilder {

  /** Creates electors whose Leases are on the API server. */
  static final ElectorFactory ON_SERVER = LeaderElector::create;

  private @Nullable Config config;
  private HttpClient.@Nullable Factory transport;
  private @Nullable KubernetesClient given;
  private Connector connector =
      client -> (type, watched) -> new HttpListerWatcher(client, type, watched);
  InformerOptions informerOptions = InformerOptions.defaults();

  /** Receives fatal errors in the threads and timers of the manager that was built last. */
  AtomicReference<Consumer<Throwable>> fatal = new AtomicReference<>(failure -> {});

  Clock clock = Clock.systemUTC();
  boolean readYourWrites = true;
  CachedClient.Settings clientSettings = CachedClient.Settings.DEFAULT;
  boolean checkPermissions = true;
  private final Settings settings = new Settings();
  ElectorFactory electors = ON_SERVER;
  private @Nullable MeterRegistry meterRegistry;
  private ObservationRegistry observations = ObservationRegistry.NOOP;
  private @Nullable Supplier<String> metricsText;
  private final CacheSettings caching = new CacheSettings();

  /** Determines how informers connect to the API server. */
  @FunctionalInterface
  public interface Connector {

    /** Returns a connector for informers that uses the given client. */
    SharedInformerFactory.Connector with(KubernetesClient client);
  }

  ManagerBuilder() {}

  /** Sets the kubeconfig file to use instead of the files in the default locations. */
  public ManagerBuilder kubeconfig(Path file) {
    settings.set(Setting.KUBECONFIG, given(file, "kubeconfig"));
    return this;
  }

  /**
   * Sets the API server's address. If {@link #kubeconfig} is also called, this address overrides
   * the address in the file. Otherwise, no kubeconfig file is read, and the client has no
   * credentials.
   */
  public ManagerBuilder master(String address) {
    settings.set(Setting.MASTER, ClientConfig.address(given(address, "master")));
    return this;
  }

  /**
   * Sets the function that returns the value of each {@link Setting}, for example from an
   * application framework's configuration. The function receives the setting's {@link
   * Setting#property} name. It replaces system properties and environment variables.
   */
  public ManagerBuilder settings(Function<String, @Nullable String> configuration) {
    return settings(EnvironmentSettings.of(given(configuration, "settings")));
  }

  /** Sets the client configuration to use. */
  public ManagerBuilder config(Config other) {
    config = given(other, "config");
    return this;
  }

  /** Sets the HTTP transport of fabric8's client. The default is Windlass's HTTP/1.1 transport. */
  public ManagerBuilder transport(HttpClient.Factory other) {
    transport = given(other, "transport");
    return this;
  }

  /**
   * Sets the client to use. The caller remains responsible for closing it after the manager has
   * stopped. This client reads CA and certificate files only once, whereas the manager's own client
   * reloads them when they change. The manager reads and writes all typed objects with the client's
   * {@code KubernetesSerialization}: in caches, lists, patches, comparisons and webhooks.
   */
  public ManagerBuilder client(KubernetesClient other) {
    given = given(other, "client");
    return this;
  }

  /**
   * Restricts caches, and thus controllers, to one namespace, in each cluster. The default is all
   * namespaces.
   */
  public ManagerBuilder namespace(String namespace) {
    settings.set(Setting.NAMESPACE, WatchScope.namespace(given(namespace, "namespace")));
    return this;
  }

  /**
   * Restricts which objects of certain types the manager caches. The restriction applies wherever
   * the program specifies only the type: in {@code forType}, {@code owns}, {@code watches} and
   * {@link Manager#cache}, and in reads through {@link Manager#client()}. A type can have several
   * specs if they differ only in their namespaces. {@link #build()} rejects contradictory specs. A
   * spec that names a cluster ({@link InformerSpec#inCluster}) applies only there, and replaces the
   * others of its type; any other spec applies to each cluster.
   */
  public ManagerBuilder cache(InformerSpec<?>... specs) {
    caching.add(specs);
    return this;
  }

  /** Sets the transform for cached objects of every type that does not have its own spec. */
  public ManagerBuilder cacheTransform(Transform transform) {
    caching.transform(given(transform, "cacheTransform"));
    return this;
  }

  /**
   * Adds types that the manager never caches. The client reads their objects from the server, and
   * the manager rejects controllers that watch them.
   */
  @SafeVarargs
  public final ManagerBuilder neverCache(Class<? extends HasMetadata>... types) {
    caching.never(types);
    return this;
  }

  /**
   * Sets how informers list and watch objects. The default is {@link HttpListerWatcher}. Tests
   * against fabric8's mock server require {@code MockApiServer::connector} from the test kit.
   */
  public ManagerBuilder connector(Connector other) {
    connector = given(other, "connector");
    return this;
  }

  /** Sets the options for informers. Other components also use their scheduler and threads. */
  public ManagerBuilder informerOptions(InformerOptions other) {
    informerOptions = given(other, "informerOptions");
    boolean isDefault = other.watchTimeout().equals(Setting.WATCH_TIMEOUT.defaultValue());
    settings.set(Setting.WATCH_TIMEOUT, isDefault ? null : other.watchTimeout());
    return this;
  }

  /** Sets the wall clock, for example for the times in Events. The default is the system clock. */
  public ManagerBuilder clock(Clock other) {
    clock = given(other, "clock");
    return this;
  }

  /**
   * Sets the time limit for stopping all components. The default is 25 s, so that the process exits
   * before the kubelet kills it after 30 s. In controller-runtime, the default is 30 s.
   */
  public ManagerBuilder stopTimeout(Duration limit) {
    settings.set(Setting.STOP_TIMEOUT, given(limit, "stopTimeout"));
    return this;
  }

  /**
   * Sets how many Events each recorder may send per second. The default is 50. Bursts of twice this
   * number are permitted. Each recorder buffers at most 10,000 Events. It sends Warnings before
   * other Events, and drops them last if the buffer is full.
   */
  public ManagerBuilder eventsPerSecond(int number) {
    settings.set(Setting.EVENTS_PER_SECOND, number);
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

  /** Sets whether the manager's clients skip writes that have no effect. The default is true. */
  public ManagerBuilder skipNoOpWrites(boolean wanted) {
    clientSettings = clientSettings.withSkipNoOps(wanted);
    return this;
  }

  /**
   * Sets whether the first read of a type through {@link Manager#client()} creates a cache for the
   * type, as in controller-runtime. The default is false. Secrets are cached only if a controller
   * watches them or the program calls {@link Manager#cache}. A read never waits for a cache.
   */
  public ManagerBuilder cacheOnFirstUse(boolean wanted) {
    clientSettings = clientSettings.withCacheOnFirstUse(wanted);
    return this;
  }

  /**
   * Sets the field owner for writes through the manager's clients. Within a reconcile, apply
   * requests use the controller's name instead. If no owner is set, the client rejects apply
   * requests outside reconciles, and the server derives the owner of other writes from the user
   * agent.
   */
  public ManagerBuilder fieldOwner(String owner) {
    clientSettings = clientSettings.withFieldOwner(given(owner, "fieldOwner"));
    return this;
  }

  /**
   * Enables leader election among all replicas. Components of {@link Phase#LEADER}, mainly
   * controllers, then run only on the leader. By default, leader election is disabled, and these
   * components run on every replica.
   */
  public ManagerBuilder leaderElection(LeaderElectionOptions options) {
    settings.setElection(given(options, "leaderElection"));
    return this;
  }

  /**
   * Enables leader election for shards: the objects of sharded controllers are divided among the
   * replicas. Other components of {@link Phase#LEADER} run on the replica that owns the first
   * shard. A replica that loses a shard stands by for it and keeps the others. By default, there
   * are no shards.
   */
  public ManagerBuilder shards(ShardOptions options) {
    settings.setShards(given(options, "shards"));
    return this;
  }

  /**
   * Sets whether the manager checks at startup whether it has the permissions that it requires, and
   * logs a warning for each missing permission. The default is true.
   */
  public ManagerBuilder checkPermissions(boolean wanted) {
    checkPermissions = wanted;
    return this;
  }

  /** Sets the reaction to the loss of a lease. The default is {@link OnLeadershipLost#STOP}. */
  public ManagerBuilder onLeadershipLost(OnLeadershipLost reaction) {
    settings.set(Setting.ON_LOST, given(reaction, "onLeadershipLost"));
    return this;
  }

  /**
   * Sets the registry for the meters of the framework and the program. The caller remains
   * responsible for closing it; a manager that stops only removes its meters. Two running managers
   * cannot use the same registry, because their meters would have the same names: pass each of them
   * a {@code CompositeMeterRegistry} with a common tag, which contains the shared registry. By
   * default, the manager creates a registry; see {@link ManagerMetrics#own}.
   */
  public ManagerBuilder meterRegistry(MeterRegistry registry) {
    meterRegistry = given(registry, "meterRegistry");
    return this;
  }

  /**
   * Sets the registry for observations of each reconcile and each request to an API server. With a
   * tracing handler, each observation becomes a span. By default, nothing is observed.
   */
  public ManagerBuilder observationRegistry(ObservationRegistry registry) {
    observations = given(registry, "observationRegistry");
    return this;
  }

  /**
   * Sets whether the manager measures the durations and sizes of API server requests, by method and
   * host ({@code rest_client_request_*_seconds}, {@code rest_client_*_size_bytes}). By default, the
   * manager only counts requests.
   */
  public ManagerBuilder requestHistograms(boolean wanted) {
    settings.set(Setting.REQUEST_HISTOGRAMS, wanted);
    return this;
  }

  /**
   * Sets the address at which {@code /healthz}, {@code /livez} and {@code /readyz} are served over
   * plain HTTP to any caller. By default, and if the address is empty or {@code 0}, the endpoint is
   * disabled.
   *
   * @param address an address such as {@code :8081} or {@code 127.0.0.1:8081}; with port 0, as in
   *     {@code [::1]:0}, the system chooses a free port
   * @throws IllegalArgumentException if the address is invalid
   */
  public ManagerBuilder healthProbeBindAddress(String address) {
    settings.set(
        Setting.PROBE_ADDRESS, BindAddress.parse(given(address, "healthProbeBindAddress")));
    return this;
  }

  /**
   * Sets the address at which the metrics ({@code /metrics}) and the manager's diagnosis ({@code
   * /debug/windlass}) are served. By default, the manager does not serve these paths. Without
   * {@link #metricsAuthentication}, any caller can read the metrics, and this address serves the
   * diagnosis only if it is a loopback address. Otherwise, the manager also serves the diagnosis at
   * {@code 127.0.0.1}, two ports above this port, such as 8082 for 8080.
   *
   * @param address an address in the format of {@link #healthProbeBindAddress}
   * @throws IllegalArgumentException if the address is invalid
   */
  public ManagerBuilder metricsBindAddress(String address) {
    settings.set(Setting.METRICS_ADDRESS, BindAddress.parse(given(address, "metricsBindAddress")));
    return this;
  }

  /**
   * Sets the supplier of the content of {@code /metrics}. By default, this is the meter registry if
   * it is a Prometheus registry.
   */
  public ManagerBuilder metricsText(Supplier<String> text) {
    metricsText = given(text, "metricsText");
    return this;
  }

  /**
   * Enables TLS for metrics. The PEM files are re-read every 10 s. By default, TLS is disabled
   * without {@link #metricsAuthentication}.
   */
  public ManagerBuilder metricsTls(Path certificate, Path key) {
    settings.set(Setting.METRICS_CERTIFICATE, given(certificate, "metricsTls"));
    settings.set(Setting.METRICS_KEY, given(key, "metricsTls"));
    return this;
  }

  /**
   * Sets whether the metrics endpoint requires authentication and authorisation. If so, callers
   * must present a token that the API server accepts, and need permission to {@code get} the path;
   * see {@link dev.windlass.httpserver.auth.TokenReviewAuthorizer}. The default is false.
   *
   * <p>Unless the address is a loopback address or {@link #metricsTls} sets a certificate, metrics
   * are then served over TLS with a self-signed certificate, as in controller-runtime. This
   * requires framework-webhook, which framework-cli includes; without it, the manager logs a
   * warning.
   */
  public ManagerBuilder metricsAuthentication(boolean wanted) {
    settings.set(Setting.METRICS_AUTHENTICATION, wanted);
    return this;
  }

  /**
   * Sets when a controller counts as wedged, and how the manager reacts. A controller is wedged if
   * every worker is blocked by a reconcile that ignores its time-out.
   *
   * @param after how long every worker must remain blocked after its reconcile's time-out; the
   *     default is 60 s. A controller without a reconcile time-out never counts as wedged, but is
   *     not ready while all its workers have been in the same reconciles for 10 min
   * @param reaction the manager's reaction; the default is {@link OnWedged#REPORT}
   */
  public ManagerBuilder wedgedWorkers(Duration after, OnWedged reaction) {
    settings.set(Setting.WEDGED_AFTER, given(after, "wedgedWorkers"));
    settings.set(Setting.ON_WEDGED, given(reaction, "wedgedWorkers"));
    return this;
  }

  /**
   * Builds the manager. This method does not send requests to the API server.
   *
   * @throws IllegalArgumentException if the kubeconfig, a system property or an environment
   *     variable is invalid, or if a running manager uses the meter registry; the message states
   *     the cause and the remedy
   */
  public Manager build() {
    fatal = new AtomicReference<>(failure -> {});
    settings.check();
    Config chosen = given != null ? given.getConfiguration() : chosenConfig();
    ManagerMetrics metrics =
        ManagerMetrics.of(
            meterRegistry,
            observations,
            settings.get(Setting.REQUEST_HISTOGRAMS, Boolean.class),
            informerOptions.scheduler());
    KubernetesCluster.@Nullable Connection connection = null;
    Manager manager = null;
    try {
      connection = KubernetesCluster.Connection.open("", given, chosen, clusters(), metrics);
      manager = new Manager(this, metrics, connection);
      return manager;
    } finally {
      if (manager == null) { // leave nothing open if the manager was not created
        if (connection != null) {
          connection.close();
        }
        metrics.close();
      }
    }
  }

  /**
   * Returns the configuration that the program has set. Otherwise, loads one from the kubeconfig
   * and the address that the program has set or, if it has set neither, from those from outside.
   */
  private Config chosenConfig() {
    if (config != null) {
      return config;
    }
    boolean isOurs =
        settings.isOfProgram(Setting.MASTER) || settings.isOfProgram(Setting.KUBECONFIG);
    Optional<Path> file = settings.find(Setting.KUBECONFIG);
    Optional<String> address = settings.find(Setting.MASTER);
    return ClientConfig.load(
        file.filter(any -> !isOurs || settings.isOfProgram(Setting.KUBECONFIG)).orElse(null),
        address.filter(any -> !isOurs || settings.isOfProgram(Setting.MASTER)).orElse(null),
        informerOptions.scheduler(),
        clock);
  }

  /** Returns a copy of the settings, which later calls of this builder do not change. */
  Settings settings() {
    String connection =
        given != null
            ? "client"
            : config != null
                ? "config"
                : settings.isOfProgram(Setting.KUBECONFIG)
                    ? "kubeconfig"
                    : settings.isOfProgram(Setting.MASTER) ? "master" : null;
    return settings.copy(connection);
  }

  /** Returns the source of {@code /metrics}, if there is one. */
  Optional<Supplier<String>> metricsPage(MeterRegistry registry) {
    return Optional.ofNullable(metricsText)
        .or(() -> Scrape.of(registry).map(scrape -> scrape::text));
  }

  ClusterSettings clusters() {
    return new ClusterSettings(
        transport,
        connector,
        scope(),
        caching.policies(),
        informerOptions(),
        readYourWrites,
        clientSettings);
  }

  WatchScope scope() {
    return settings.<WatchScope>find(Setting.NAMESPACE).orElse(WatchScope.ALL);
  }

  InformerOptions informerOptions() {
    InformerOptions options =
        informerOptions.withWatchTimeout(settings.get(Setting.WATCH_TIMEOUT, Duration.class));
    AtomicReference<Consumer<Throwable>> ofThisBuild = fatal;
    Consumer<Throwable> owner =
        failure -> Objects.requireNonNull(ofThisBuild.get()).accept(failure);
    return options
        .withThreads(FatalErrors.reporting(options.threads(), owner))
        .withScheduler(FatalErrors.reporting(options.scheduler(), owner));
  }

  EventBroadcaster events(KubernetesClient client) {
    InformerOptions options = informerOptions();
    return new EventBroadcaster(
        client,
        options.scheduler(),
        clock,
        options.threads(),
        settings.get(Setting.EVENTS_PER_SECOND, Integer.class));
  }

  Optional<LeaderElectionOptions> leaderElection() {
    return settings.election();
  }

  /** Sets the source of settings that are external to the program. Tests also use this method. */
  ManagerBuilder settings(EnvironmentSettings others) {
    settings.setOutside(others);
    return this;
  }

  /** Sets the factory of electors. Tests use this method to keep the Lease in memory. */
  ManagerBuilder electors(ElectorFactory others) {
    electors = others;
    return this;
  }

  OnLeadershipLost onLeadershipLost() {
    return settings.get(Setting.ON_LOST, OnLeadershipLost.class);
  }

  /** Returns the connector that was set, or else the default one, which uses HTTP. */
  public Connector connector() {
    return connector;
  }

  /** Returns the time limit for stopping all components. */
  public Duration stopTimeout() {
    return settings.get(Setting.STOP_TIMEOUT, Duration.class);
  }
}
