// SPDX-License-Identifier: Apache-2.0
package dev.windlass.manager;

import dev.windlass.client.Client;
import dev.windlass.diagnosis.Diagnosis;
import dev.windlass.events.EventRecorder;
import dev.windlass.events.broadcast.EventBroadcaster;
import dev.windlass.health.HealthCheck;
import dev.windlass.informer.Informer;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.informer.reflector.WatchScope;
import dev.windlass.leader.Fence;
import dev.windlass.leader.LeaderElectionOptions;
import dev.windlass.manager.permissions.DeclaredPermissions;
import dev.windlass.manager.shutdown.ShutdownSignals;
import dev.windlass.manager.shutdown.StopRequest;
import dev.windlass.manager.shutdown.StopSequence;
import dev.windlass.metrics.ManagerMetrics;
import dev.windlass.rbac.Permission;
import dev.windlass.rbac.PermissionSource;
import dev.windlass.rbac.Permissions;
import dev.windlass.rbac.Verb;
import dev.windlass.scheduling.Deadline;
import dev.windlass.scheduling.FatalErrors;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a program's controllers, which share one client, one cache per type and the Event recorders.
 *
 * <pre>{@code
 * try (Manager manager = Manager.builder().build()) {
 *   ControllerBuilder.forType(Foo.class).objectReconciler(new FooReconciler()).register(manager);
 *   manager.run();
 * }
 * }</pre>
 *
 * <p>A manager starts components phase by phase and stops them in reverse order; see {@link Phase}.
 * One deadline applies to the whole stop. A manager can be started only once. A process can run
 * several managers at the same time. All methods can be called from any thread.
 */
public final class Manager implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Manager.class);

  private static final List<ManagedComponent> NO_PARTS = List.of();

  private final ClusterSettings clusterSettings;
  private final KubernetesCluster cluster;
  private final InformerOptions informerOptions;
  private final EventBroadcaster events;
  private final ManagerMetrics metrics;
  private final Duration stopTimeout;
  private final Settings settings;
  private final Clock clock;
  private final StopSequence stopSequence;
  private final Components components;
  private final DeclaredPermissions permissions;
  private final List<HasMetadata> manifests = new CopyOnWriteArrayList<>();
  private final ManagerEndpoints endpoints;
  private final LeaderGroupContext groupContext;

  /** The manager's own leader group; null if leader election is disabled. */
  private final @Nullable LeaderGroup own;

  private final List<LeaderGroup> groups = new CopyOnWriteArrayList<>();

  /** Divides the shards among the replicas; null if there are no shards. */
  private final @Nullable ShardCoordinator coordinator;

  private final Map<ManagedComponent, List<ManagedComponent>> parts = new ConcurrentHashMap<>();

  private final AtomicBoolean started = new AtomicBoolean();
  private final StopRequest stopRequest;

  /** Created in advance, so that each stop ends, even if no memory is left. */
  private final BooleanSupplier end = this::end;

  Manager(ManagerBuilder builder, ManagerMetrics metrics, KubernetesCluster.Connection connection) {
    settings = builder.settings();
    clock = builder.clock;
    this.metrics = metrics;
    informerOptions = builder.informerOptions();
    clusterSettings = builder.clusters();
    cluster = cluster("", connection, clusterSettings);
    events = builder.events(connection.client());
    metrics.watch(events);
    stopTimeout = builder.stopTimeout();
    stopRequest = new StopRequest(informerOptions.scheduler());
    stopSequence = new StopSequence(informerOptions.scheduler());
    components = new Components(stopSequence);
    permissions =
        new DeclaredPermissions(cluster.informers(), () -> components.of(PermissionSource.class));
    groupContext =
        new LeaderGroupContext(
            builder,
            cluster,
            metrics,
            permissions,
            components,
            stopSequence,
            this::fail,
            this::begin);
    coordinator =
        settings
            .shards()
            .map(o -> new ShardCoordinator(groupContext, cluster, events.recorder("shards"), o))
            .orElse(null);
    own =
        coordinator != null
            ? coordinator.groups().get(0)
            : settings
                .election()
                .map(o -> new LeaderGroup(groupContext, o, groupContext.soleLeader(o), false))
                .orElse(null);
    groups.addAll(coordinator != null ? coordinator.groups() : leadership().stream().toList());
    var context =
        new MonitoringContext(
            connection.client(), events, components, groups, permissions, stopRequest);
    endpoints =
        new ManagerEndpoints(
            settings, builder.metricsPage(metrics.registry()), informerOptions, clock, context);
    components.add(null, endpoints, null);
    components.add(null, cluster, null);
    if (builder.checkPermissions) {
      var check =
          permissions.check(connection.client(), informerOptions.scheduler(), groupContext::loop);
      components.add(null, BuiltInComponent.of(check), null);
    }
    if (coordinator != null) {
      components.add(null, coordinator, null);
    }
    endpoints.measure(metrics);
    metrics.permissions(() -> permissions.missing().size());
    builder.fatal.set(this::fail);
  }

  /** Creates a cluster. Outside reconciles, its writes must pass the manager's own fence. */
  private KubernetesCluster cluster(
      String name, KubernetesCluster.Connection connection, ClusterSettings how) {
    return new KubernetesCluster(
        name,
        connection,
        how,
        type -> name.isEmpty() && permissions.listEverywhere(type),
        () -> leadership().map(LeaderGroup::fence).orElse(Fence.OPEN));
  }

  /** Creates a builder with default settings. */
  public static ManagerBuilder builder() {
    return new ManagerBuilder();
  }

  /**
   * Returns the client for code outside reconciles. With leader election, its writes fail with
   * {@link dev.windlass.leader.LeadershipLostException} unless the manager holds its lease. A
   * reconcile should use {@code ReconcileContext.client}. If a reconcile uses this client instead,
   * its writes require the controller's lease and use the controller's name.
   */
  public Client client() {
    return cluster.client();
  }

  /** Returns the fabric8 client that {@link #client()} uses. It provides additional operations. */
  public KubernetesClient kubernetesClient() {
    return cluster.kubernetesClient();
  }

  /** Returns the client for code that runs on every replica. Its writes do not require a lease. */
  public Client replicaClient() {
    return cluster.replicaClient();
  }

  /** Returns the fabric8 client that {@link #replicaClient()} uses. */
  public KubernetesClient replicaKubernetesClient() {
    return cluster.replicaKubernetesClient();
  }

  /**
   * Returns the manager's own leader group, or empty if leader election is not enabled. With
   * shards, it is the group of the first shard.
   */
  public Optional<LeaderGroup> leadership() {
    return Optional.ofNullable(own);
  }

  /** Returns the leader groups of the shards; empty unless there are several shards. */
  public List<LeaderGroup> shards() {
    return coordinator == null ? List.of() : coordinator.groups();
  }

  /**
   * Connects another cluster. Its caches start and stop together with the manager's caches, and are
   * restricted in the same way; see {@link ManagerBuilder#namespace}.
   *
   * @param name the cluster's name, which must be unique and must not be blank
   * @param config the client configuration for the cluster; it is not modified
   */
  public KubernetesCluster cluster(String name, Config config) {
    return cluster(name, config, clusterSettings);
  }

  /**
   * Connects another cluster, whose caches are restricted to the given scope instead of the
   * manager's namespace. {@link WatchScope#ALL} stands for all namespaces.
   *
   * @param scope the scope of the caches in this cluster, without selectors
   */
  public KubernetesCluster cluster(String name, Config config, WatchScope scope) {
    Objects.requireNonNull(
        scope, "cluster(...) was given null: pass WatchScope.ALL for all namespaces");
    if (!scope.in("").equals(WatchScope.ALL)) {
      throw new IllegalArgumentException(
          "cluster(...) was given the scope '"
              + scope
              + "', which has selectors: use ManagerBuilder.cache(...) for them, and pass a namespace"
              + " or WatchScope.ALL");
    }
    return cluster(name, config, clusterSettings.within(scope));
  }

  private KubernetesCluster cluster(String name, Config config, ClusterSettings how) {
    components.requireFree(KubernetesCluster.called(name));
    Objects.requireNonNull(
        config, "cluster(...) was given null: pass the configuration of its client");
    KubernetesCluster.Connection connection =
        KubernetesCluster.Connection.open(name, null, config, how, metrics);
    boolean added = false;
    try {
      KubernetesCluster connected = cluster(name, connection, how);
      add(connected.toString(), connected);
      added = true;
      return connected;
    } finally {
      if (!added) {
        connection.close();
      }
    }
  }

  /**
   * Returns the cluster that was connected under the given name, or empty if there is none. The
   * empty name returns the manager's own cluster.
   */
  public Optional<KubernetesCluster> findCluster(String name) {
    return name.isEmpty()
        ? Optional.of(cluster)
        : components.find("the cluster " + name, KubernetesCluster.class);
  }

  /**
   * Returns the group of components that require the lease specified by the given options instead
   * of the manager's lease. Calls with equal options return the same group.
   *
   * @throws IllegalArgumentException if a group uses the same lease with different settings
   * @throws IllegalStateException if the manager has been stopped
   */
  public LeaderGroup leaderGroup(LeaderElectionOptions options) {
    components.requireOpen();
    LeaderGroup group = LeaderGroup.in(groups, groupContext, options);
    if (components.isSealed()) { // a concurrent stop may have missed the group
      group.end(stopSequence.in(Duration.ZERO));
      components.requireOpen();
    }
    if (started.get()) {
      orStop(group::begin);
    }
    return group;
  }

  /**
   * Returns the permissions that this program requires on its own API server, as declared by
   * controllers, caches, leader elections, Event recorders and {@link #uses}.
   */
  public Permissions permissions() {
    return permissions.all();
  }

  /** Returns the required permissions that were not granted at the last check; may be empty. */
  public List<Permission> missingPermissions() {
    return permissions.missing();
  }

  /**
   * Declares additional verbs that the program uses on a type in this manager's namespace.
   *
   * @throws IllegalArgumentException if no verb is given
   */
  public void uses(Class<? extends HasMetadata> type, Verb... verbs) {
    permissions.uses(type, verbs);
  }

  /** Declares additional permissions of any kind, such as a permission for a single object. */
  public void uses(Permissions permissions) {
    this.permissions.declare(permissions);
  }

  /** Declares objects that an installation needs; {@code framework-cli} writes them to a chart. */
  public void addManifests(List<? extends HasMetadata> objects) {
    manifests.addAll(objects);
  }

  /** Returns the objects that the program and its webhooks have declared for an installation. */
  public List<HasMetadata> manifests() {
    return List.copyOf(manifests);
  }

  /** Returns the registry of the framework's meters. Programs can add their own meters to it. */
  public MeterRegistry meterRegistry() {
    return metrics.registry();
  }

  /** Adds a liveness check for a problem that only a restart can solve. Its name must be unique. */
  public void addHealthCheck(String name, HealthCheck check) {
    endpoints.health().add(HealthCheck.Kind.LIVE, name, check);
  }

  /** Adds a readiness check for a problem that can be temporary. Its name must be unique. */
  public void addReadyCheck(String name, HealthCheck check) {
    endpoints.health().add(HealthCheck.Kind.READY, name, check);
  }

  /** Returns the HTTP endpoints that serve probes, metrics and the diagnosis. */
  public ManagerEndpoints endpoints() {
    return endpoints;
  }

  /** Returns a snapshot of this manager's state without sending requests; see {@link Diagnosis}. */
  public Diagnosis diagnosis() {
    return endpoints.diagnosis();
  }

  /** Returns the registry for observations of reconciles and requests. */
  public ObservationRegistry observationRegistry() {
    return metrics.observations();
  }

  /** Returns the recorder for the Events of the given component. */
  public EventRecorder eventRecorder(String component) {
    permissions.recordsEvents();
    return undeclaredEventRecorder(component);
  }

  /**
   * Returns the recorder for the Events of a component that declares the permissions itself, for
   * the namespaces of its objects.
   */
  public EventRecorder undeclaredEventRecorder(String component) {
    return events.recorder(component);
  }

  /** Returns the informers that all controllers share. */
  public SharedInformerFactory informers() {
    return cluster.informers();
  }

  /** Caches a type's objects for {@link #client()}, even if no controller watches the type. */
  public <T extends HasMetadata> Informer<T> cache(Class<T> type) {
    Informer<T> informer = informers().cache(type);
    informers().startIfStarted();
    permissions.changed();
    return informer;
  }

  /** Returns the scheduler, threads and random generator for components other than controllers. */
  public InformerOptions informerOptions() {
    return informerOptions;
  }

  /** Returns the wall clock. */
  public Clock clock() {
    return clock;
  }

  /**
   * Adds a component. The component starts together with the manager, or immediately if the manager
   * is running. A component of {@link Phase#LEADER} starts when this replica becomes the leader.
   *
   * @throws IllegalStateException if the manager has been stopped, or if the component cannot start
   */
  public void add(ManagedComponent component) {
    begin(components.add(null, component, own));
  }

  /** Adds a component with a unique name. See {@link #add(ManagedComponent)}. */
  public void add(String name, ManagedComponent component) {
    begin(components.add(name, component, own));
  }

  /**
   * Adds a component that is divided into the {@link #shards}, which must exist.
   *
   * @param name the component's name, which must be unique
   */
  public void addSharded(String name, ShardedComponent component) {
    begin(components.add(name, component, null));
    List<ManagedComponent> all = new ArrayList<>();
    for (LeaderGroup group : shards()) {
      ManagedComponent part = component.shard(all.size());
      all.add(part);
      begin(components.add(null, part, group));
    }
    parts.put(component, all);
  }

  private void begin(RegisteredComponent component) {
    permissions.changed();
    endpoints.monitorAll();
    LeaderGroup group = component.group;
    orStop(group == null ? () -> components.start(component) : () -> group.added(component));
  }

  /**
   * Stops a component within the shutdown time-out and removes it, so that its name can be reused.
   *
   * @return whether the component stopped within the time-out
   * @throws InterruptedException if interrupted while waiting; the component is removed anyway
   */
  public boolean remove(ManagedComponent component) throws InterruptedException {
    if (component == cluster) {
      throw new IllegalArgumentException("the manager's own cluster can't be removed");
    }
    for (ManagedComponent part : Objects.requireNonNullElse(parts.remove(component), NO_PARTS)) {
      components.forget(part).ifPresent(each -> components.endRemoved(each, stopTimeout));
    }
    Optional<RegisteredComponent> removed = components.forget(component);
    endpoints.monitorAll();
    boolean inTime =
        removed.isPresent()
            ? components.endRemoved(removed.get(), stopTimeout)
            : component.stop(stopTimeout);
    permissions.changed();
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return inTime;
  }

  /**
   * Starts all components and returns. Components of {@link Phase#LEADER} start when this replica
   * becomes the leader. If a component fails later, the others continue; see {@link #fail}.
   *
   * @throws IllegalStateException if the manager has already been started or stopped, or if a
   *     component cannot start. In the latter case, the manager stops all components
   */
  public void start() {
    if (components.isSealed() || started.getAndSet(true)) {
      throw new IllegalStateException("a manager can be run only once; build another one");
    }
    orStop(
        () -> {
          warn(); // even if the start fails
          for (Phase phase : Phase.values()) {
            components.reach(phase);
            components.startAll(phase);
          }
          components.requireUnsealed();
          groups.forEach(LeaderGroup::begin); // a group can stop the manager from here on
          endpoints.announce();
        });
  }

  private void warn() {
    MisspeltSettings.ofProcess().forEach(log::warn);
    settings.unused(!groups.isEmpty()).forEach(log::warn);
    for (String name : clusterSettings.policies().keySet()) {
      if (findCluster(name).isEmpty()) {
        log.warn("cache(...) names the cluster '{}', which is not connected yet", name);
      }
    }
  }

  private void orStop(Runnable start) {
    try {
      start.run();
    } catch (RuntimeException | Error e) {
      if (FatalErrors.isFatal(e)) {
        fail(e);
      }
      stopRequest.make("a component could not start: " + e.getMessage());
      stop();
      throw e;
    }
  }

  /**
   * Starts all components, waits for {@link #requestStop()}, SIGTERM, SIGINT or SIGHUP, and stops
   * the components. A second signal terminates the process immediately with exit code 1. The
   * manager ignores signals within 1 s of the first, because supervisors may signal both a process
   * and its process group.
   *
   * @return whether all components stopped within the shutdown time-out
   * @throws IllegalStateException if a component has failed, or under the same conditions as {@link
   *     #start}. If a component has failed, all components have been stopped
   */
  public boolean run() {
    // The signal handlers are closed last, so that a second signal can end a stop that hangs.
    try (ShutdownSignals signals = stopRequest.onSignals()) {
      log.debug("Handling {}", signals);
      start();
      stopRequest.await();
      boolean inTime = stop();
      stopRequest.throwFailure();
      return inTime;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // an interrupt also requests a stop
      return stop();
    }
  }

  /** Requests that {@link #run()} stop all components and return. Returns immediately. */
  public void requestStop() {
    stopRequest.make(StopRequest.BY_THE_PROGRAM);
  }

  /**
   * Reports a fatal failure of a component and returns immediately. {@link #run()} then stops all
   * components and throws an exception. If the program has called {@link #start()} instead, the
   * liveness check {@code manager} fails until the program calls {@link #stop()}. Only the first
   * failure is recorded.
   *
   * <p>The manager fails on its own after an {@link OutOfMemoryError} or another {@link
   * VirtualMachineError} in one of its threads, except a {@link StackOverflowError}. It then lets
   * its leases expire instead of releasing them.
   */
  public void fail(Throwable cause) {
    try {
      abandonLeases(cause);
    } finally {
      stopRequest.fail(cause); // even if there is no memory left
    }
  }

  private void abandonLeases(@Nullable Throwable cause) {
    if (cause != null && FatalErrors.isFatal(cause)) {
      groups.forEach(LeaderGroup::abandon);
    }
  }

  /** Returns the first fatal failure of a component, or empty if no component has failed. */
  public Optional<Throwable> failure() {
    return stopRequest.failure();
  }

  /** Returns whether this manager is being stopped or has been stopped. */
  public boolean isStopping() {
    return components.isSealed();
  }

  /**
   * Stops all components within the shutdown time-out, in the reverse order of their starts. The
   * manager releases each lease as soon as the components that depend on it have stopped, and stops
   * the endpoints last. A second call waits until the first has ended, unless a component that is
   * being started or stopped makes the call. A reconciler must call {@link #requestStop()} instead,
   * because this method waits for running reconciles.
   *
   * @return whether all components stopped within the shutdown time-out
   */
  public boolean stop() {
    if (!components.seal()) {
      return stopRequest.awaitEnd(components.isCalledByAComponent());
    }
    boolean inTime = stopRequest.carryOut(end);
    if (started.get()) {
      stopRequest.report(inTime);
    }
    return inTime;
  }

  private boolean end() {
    abandonLeases(failure().orElse(null)); // once more, if there was no memory when it was thrown
    Deadline deadline = stopSequence.in(stopTimeout);
    boolean inTime = components.endAll(deadline, StopSequence.reserve(stopTimeout), groups);
    inTime &= stopSequence.end("events", events::stop, deadline);
    for (LeaderGroup group : groups) {
      inTime &= group.end(deadline);
    }
    inTime &= components.endEndpoints(deadline);
    cluster.close();
    metrics.close();
    return inTime;
  }

  /** Stops this manager; see {@link #stop()}. */
  @Override
  public void close() {
    stop();
  }
}
