// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller.building;

import dev.windlass.client.Client;
import dev.windlass.client.pipeline.WriterContext;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.controller.settings.ControllerConfig;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.controller.settings.LeadershipRequirement;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.index.Indexer;
import dev.windlass.logging.OneLine;
import dev.windlass.manager.InvalidSettingException;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.manager.ShardedComponent;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Permissions;
import dev.windlass.scheduling.DurationText;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a {@code ControllerBuilder} and creates the controller from them. This
 * class is not thread-safe.
 *
 * @param <T> the primary type
 */
public final class ControllerRegistration<T extends HasMetadata> {

  /** The default resync period without jitter: 10 h, as in controller-runtime. */
  private static final Duration RESYNC = Duration.ofHours(10);

  /**
   * The jitter, as a fraction of the period: 0.1. It prevents replicas and types from resyncing at
   * the same time.
   */
  private static final double SPREAD = 0.1;

  /** The pattern of valid controller names. Metric labels and thread names contain the name. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

  public final WatchSelection watches = new WatchSelection();
  public final DerivedPermissions needs = new DerivedPermissions();
  final List<ReferenceIndex<T>> references = new ArrayList<>();
  public final ReconcilerSelection<T> reconciler = new ReconcilerSelection<>();

  /** The errors found so far. {@link #register} reports the first one. */
  public final BuilderErrors errors = new BuilderErrors();

  public @Nullable ResourceType primary;
  public @Nullable String name;
  public @Nullable Duration resync;
  public ControllerOptions options = ControllerOptions.defaults();
  public RateLimiter<Request> rateLimiter = RateLimiter.exponential();
  public UnaryOperator<WorkQueueOptions<Request>> retryLimit = queue -> queue;
  public Function<? super Request, ?> grouping = ControllerRegistration::groupOf;
  public WorkQueueListener queueListener = WorkQueueListener.NONE;
  public ControllerListener listener = ControllerListener.NONE;
  public boolean needsLeader = true;
  public boolean warmUp = true;
  public @Nullable LeaderGroup group;

  /** What decides to which shard an object belongs; null if the controller is not sharded. */
  public @Nullable ShardKey sharded;

  /** Whether the builder was created without a primary type. */
  public boolean isWithoutType;

  /** Creates the {@link EventHandler} that requests reconciles of an object's owners. */
  public interface OwnersOf<S> {
    EventHandler<S> handler(ResourceType ownerType, Supplier<? extends Indexer<?>> owners);
  }

  /** A cluster that takes turns with the namespaces of the program's own cluster. */
  private record OtherCluster(String name) {}

  private static Object groupOf(Request request) {
    return request.cluster().isEmpty() ? request.namespace() : new OtherCluster(request.cluster());
  }

  public void primary(Optional<InformerSpec<T>> spec, EventPredicate<? super T>[] predicates) {
    primary = spec.map(InformerSpec::type).orElse(null);
    add(
        spec,
        WatchSelection.Role.PRIMARY,
        (primaries, cluster) -> EventHandler.self(),
        predicates,
        "forType");
  }

  public <S extends HasMetadata> void own(
      Optional<InformerSpec<S>> spec,
      OwnersOf<S> owners,
      EventPredicate<? super S>[] predicates,
      String call) {
    add(
        spec.map(this::besideItsOwner),
        WatchSelection.Role.OWNED,
        (primaries, cluster) -> owners.handler(primaryType(), primaries),
        predicates,
        call);
  }

  /**
   * Returns the spec of an owned type, in the primary type's cluster unless the spec specifies
   * another cluster. The garbage collector ignores owners in other clusters.
   */
  private <S extends HasMetadata> InformerSpec<S> besideItsOwner(InformerSpec<S> owned) {
    return owned.cluster().isEmpty() ? owned.inCluster(watches.cluster()) : owned;
  }

  public <S extends HasMetadata> void watch(
      Optional<InformerSpec<S>> spec,
      EventHandler<? super S> handler,
      EventPredicate<? super S>[] predicates) {
    add(spec, WatchSelection.Role.OTHER, (primaries, cluster) -> handler, predicates, "watches");
  }

  public <S extends HasMetadata> void watchReferenced(
      Optional<InformerSpec<S>> spec,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>[] predicates) {
    if (spec.isPresent() && errors.given(keysOf, "watchesReferenced").isPresent()) {
      ReferenceIndex<T> found = new ReferenceIndex<>(spec.get().type(), keysOf);
      references.add(found);
      add(spec, WatchSelection.Role.OTHER, found::handler, predicates, "watchesReferenced");
    }
  }

  private <S extends HasMetadata> void add(
      Optional<InformerSpec<S>> spec,
      WatchSelection.Role role,
      WatchSelection.HandlerOf<S> handler,
      EventPredicate<? super S>[] predicates,
      String call) {
    List<EventPredicate<? super S>> all = errors.allGiven(predicates, call);
    spec.ifPresent(type -> watches.add(new WatchSelection.Watch<>(type, role, handler, all)));
  }

  /**
   * Creates the controller and adds it to the manager.
   *
   * @param events the listener for reconcile outcomes
   * @param queueEvents the listener for work queue events
   * @param controllers creates a controller from the configuration and the required permissions
   */
  public <C extends ShardedComponent> C register(
      Manager manager,
      ControllerListener events,
      WorkQueueListener queueEvents,
      BiFunction<ControllerConfig, Supplier<Permissions>, C> controllers) {
    Clusters clusters = new Clusters(manager);
    requireFit(clusters);
    String chosen = name == null ? primaryType().kind().toLowerCase(Locale.ROOT) : name;
    WriterContext.announce(chosen, options.formerFieldOwners);
    InformerOptions informers = manager.informerOptions();
    Duration period = resync == null ? resyncPeriod(informers.random()) : resync;
    WatchSelection.Sources sources = watches.sources(clusters, period);
    references.forEach(each -> each.addTo(sources.primary().orElseThrow().source()));
    Client live = clusters.live(watches.cluster());
    EventRecorder recorder = recorder(manager, chosen);
    ErrorPolicy policy = reconciler.errorPolicy(options.errorPolicy, sources, live);
    ControllerOptions settings =
        options.with(
            o -> {
              o.eventRecorder = recorder;
              o.pausedBy = watches.pausedBy().orElse(null);
              o.errorPolicy = policy;
            });
    LeadershipRequirement leading =
        sharded != null && !manager.shards().isEmpty()
            ? LeadershipRequirement.ofShards(manager.shards(), sharded, warmUp)
            : LeadershipRequirement.of(manager, group, needsLeader, warmUp);
    C controller =
        controllers.apply(
            new ControllerConfig(
                chosen,
                Optional.ofNullable(primary).map(ResourceType::kind).orElse(chosen),
                sources.all(),
                ObservedReconciler.of(
                    manager.observationRegistry(), chosen, reconciler.on(sources, live)),
                settings,
                retryLimit.apply(
                    WorkQueueOptions.<Request>named(chosen)
                        .withRateLimiter(rateLimiter)
                        .withGrouping(grouping)
                        .withListener(queueEvents)
                        .withScheduler(informers.scheduler())),
                events,
                sources.lookup(),
                sources.accepts().orElse(null),
                new SecondaryResources(clusters, live, sources),
                leading,
                manager::fail,
                informers.scheduler(),
                informers.threads(),
                informers.random()),
            needs.of(watches.watched(clusters), watches.home(clusters)));
    String named = "the controller " + chosen;
    if (leading.isSharded()) {
      manager.addSharded(named, controller);
      return controller;
    }
    Optional.ofNullable(group)
        .ifPresentOrElse(g -> g.add(named, controller), () -> manager.add(named, controller));
    return controller;
  }

  private EventRecorder recorder(Manager manager, String chosen) {
    EventRecorder set = options.eventRecorder;
    if (set != null) {
      return set;
    }
    if (isWithoutType || !watches.cluster().isEmpty()) {
      return EventRecorder.NONE;
    }
    needs.events();
    return manager.undeclaredEventRecorder(chosen);
  }

  private void requireFit(Clusters clusters) {
    Optional<String> found =
        errors
            .first()
            .or(this::misuseOfType)
            .or(() -> watches.misuse(clusters))
            .or(
                () ->
                    reconciler.misuse(
                        watches.hasPrimary(),
                        watches.knowsMetadataOnly(clusters),
                        options.errorPolicy));
    if (found.isPresent()) {
      throw misuse(found.get());
    }
    Optional<String> refused = watches.conflictOfNamespaces(clusters).or(options::refusal);
    if (refused.isPresent()) {
      throw new InvalidSettingException(subject() + refused.get());
    }
    if (name != null && !NAME.matcher(name).matches()) {
      throw misuse(
          "can't have the name '"
              + OneLine.of(name, 100)
              + "', which appears in logs, metrics, threads and field ownership: call named(...)"
              + " with lower-case letters, digits, '-' and '.', beginning and ending with a letter"
              + " or digit");
    }
    if (!references.isEmpty() && watches.knowsMetadataOnly(clusters)) {
      throw misuse(
          "needs whole objects to find references, but watches their metadata only: watch them"
              + " with Projection.STRIPPED");
    }
    if (!needsLeader && group != null) {
      throw misuse("runs on every replica and has a lease: remove one of the two calls");
    }
    if (sharded != null && (!needsLeader || group != null)) {
      throw misuse(
          "is sharded and "
              + (needsLeader ? "has a lease of its own" : "runs on every replica")
              + ": remove one of the two calls");
    }
    if (resync != null && resync.isNegative()) {
      throw misuse(
          "can't resync every " + DurationText.of(resync) + ": use Duration.ZERO for never");
    }
  }

  private Optional<String> misuseOfType() {
    if (!isWithoutType) {
      return Optional.empty();
    }
    return references.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "has no primary type whose references could be watched: call watches(...) with a"
                + " handler instead of watchesReferenced(...)");
  }

  ResourceType primaryType() {
    return Objects.requireNonNull(primary, "register() requires a primary type");
  }

  private IllegalStateException misuse(String what) {
    return new IllegalStateException(subject() + what);
  }

  private String subject() {
    if (primary != null) {
      return "the controller of " + primary.kind() + " ";
    }
    String given = isWithoutType ? name : null;
    return "the controller " + (given == null ? "without a type" : OneLine.of(given, 100)) + " ";
  }

  /** Returns the default resync period, randomly extended or shortened by up to 10 %. */
  private static Duration resyncPeriod(RandomGenerator random) {
    double factor = 1 - SPREAD + 2 * SPREAD * random.nextDouble();
    return Duration.ofNanos((long) (RESYNC.toNanos() * factor));
  }
}
