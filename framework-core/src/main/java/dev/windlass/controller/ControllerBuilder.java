// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Predicate;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.index.Indexer;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Verb;
import dev.windlass.workqueue.GiveUp;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Describes a controller in a sentence and registers it:
 *
 * <pre>{@code
 * ControllerBuilder.forType(Foo.class)
 *     .owns(Deployment.class)
 *     .reconciler(new FooReconciler(manager.client()))
 *     .register(manager);
 * }</pre>
 *
 * <p>Nothing but the primary type and the reconciler is needed. Misuse is reported by {@link
 * #register}. For use by one thread.
 *
 * @param <T> the primary type: the one whose objects are reconciled
 */
public final class ControllerBuilder<T extends HasMetadata> {

  private final Watches watches = new Watches();
  private final Needs needs = new Needs();
  private final ChosenReconciler<T> reconciler = new ChosenReconciler<>();

  /** Found out before {@link #register}, which tells them. */
  private final Misuses misuses = new Misuses();

  private @Nullable ResourceType primary;
  private @Nullable String name;
  private @Nullable Duration resync;
  private ControllerOptions options = ControllerOptions.defaults();
  private RateLimiter<Request> rateLimiter = RateLimiter.exponential();
  private UnaryOperator<WorkQueueOptions<Request>> retryLimit = queue -> queue;
  private WorkQueueListener queueListener = WorkQueueListener.NONE;
  private ControllerListener listener = ControllerListener.NONE;
  private boolean needsLeader = true;
  private boolean warmUp = true;
  private @Nullable LeaderGroup group;

  private ControllerBuilder() {}

  /**
   * A controller of the objects of a type, each of which is reconciled when it changes.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      Class<T> primary, Predicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    return builder.ofPrimary(builder.misuses.spec(primary, "forType"), predicates);
  }

  /**
   * A controller of the objects of a spec, which may restrict what is cached to some objects, or to
   * their metadata, and whose type need not have a class.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      InformerSpec<T> primary, Predicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    return builder.ofPrimary(builder.given(primary, "forType"), predicates);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private ControllerBuilder<T> ofPrimary(
      Optional<InformerSpec<T>> spec, Predicate<? super T>... predicates) {
    primary = spec.map(InformerSpec::type).orElse(null);
    return watch(spec, false, primaries -> EventHandler.self(), predicates, "forType");
  }

  /**
   * Reconciles an object of the primary type when one that it controls changes, that is, one whose
   * owner reference with {@code controller: true} names it.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      Class<S> owned, Predicate<? super S>... predicates) {
    return own(misuses.spec(owned, "owns"), EventHandler::owner, predicates, "owns");
  }

  /** As {@link #owns(Class, Predicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      InformerSpec<S> owned, Predicate<? super S>... predicates) {
    return own(given(owned, "owns"), EventHandler::owner, predicates, "owns");
  }

  /**
   * Reconciles an object of the primary type when one changes that has it among its owners, as the
   * controller or not.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      Class<S> owned, Predicate<? super S>... predicates) {
    return own(misuses.spec(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
  }

  /** As {@link #ownsEvery(Class, Predicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      InformerSpec<S> owned, Predicate<? super S>... predicates) {
    return own(given(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
  }

  /**
   * Reconciles what the handler says when an object of another type changes.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      Class<S> watched, EventHandler<S> handler, Predicate<? super S>... predicates) {
    return watch(
        given(handler, "watches").flatMap(present -> misuses.spec(watched, "watches")),
        false,
        primaries -> handler,
        predicates,
        "watches");
  }

  /** As {@link #watches(Class, EventHandler, Predicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      InformerSpec<S> watched, EventHandler<S> handler, Predicate<? super S>... predicates) {
    return watch(
        given(handler, "watches").flatMap(present -> given(watched, "watches")),
        false,
        primaries -> handler,
        predicates,
        "watches");
  }

  /**
   * Reconciles what the handler says when an object is sent.
   *
   * @param predicates which of them matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      EventChannel<S> channel, EventHandler<S> handler, Predicate<? super S>... predicates) {
    List<Predicate<? super S>> own = misuses.allGiven(predicates, "watches");
    if (given(channel, "watches").isPresent() && given(handler, "watches").isPresent()) {
      watches.add(
          channel, (filters, primaries) -> channel.to(handler, Watches.allOf(own, filters)));
    }
    return this;
  }

  /** Reconciles what a source of any kind asks for. Event filters do not apply to it. */
  public ControllerBuilder<T> watches(Source source) {
    given(source, "watches")
        .ifPresent(present -> watches.add(present, (filters, primaries) -> present));
    return this;
  }

  /** Reconciles every object of the primary type whenever it is triggered. */
  public ControllerBuilder<T> watches(ReconcileAll trigger) {
    given(trigger, "watches")
        .ifPresent(all -> watches.add(all, (filters, primaries) -> all.over(primaries)));
    return this;
  }

  /** Lets only those events through, of all watched types, that the predicate does. Adds up. */
  public ControllerBuilder<T> withEventFilter(Predicate<? super HasMetadata> predicate) {
    given(predicate, "withEventFilter").ifPresent(watches::addFilter);
    return this;
  }

  /**
   * Watches these namespaces only, each with a list and a watch of its own. It holds for types that
   * live in namespaces and whose {@link InformerSpec} names none. Adds up. By default it is what
   * the manager is restricted to.
   */
  public ControllerBuilder<T> inNamespaces(String... namespaces) {
    watches.addNamespaces(misuses.allGiven(namespaces, "inNamespaces"));
    return this;
  }

  /** Names the controller; by default it is the kind of the primary type in lower case. */
  public ControllerBuilder<T> named(String other) {
    name = given(other, "named").orElse(null);
    return this;
  }

  /** How many objects may be reconciled at the same time; 1 by default (controller-runtime). */
  public ControllerBuilder<T> maxConcurrentReconciles(int number) {
    if (number < 1) {
      misuses.add("needs at least one worker, not " + number);
    } else {
      options = options.withMaxConcurrentReconciles(number);
    }
    return this;
  }

  /** All settings with defaults; replaces what was set of them before. */
  public ControllerBuilder<T> options(ControllerOptions other) {
    options = given(other, "options").orElse(options);
    return this;
  }

  /**
   * How often every object is reconciled without a reason; zero for never. 10 h, ±10 %, if unset.
   */
  public ControllerBuilder<T> resync(Duration period) {
    resync = given(period, "resync").orElse(null);
    return this;
  }

  /** Decides how long a failed request waits; {@link RateLimiter#exponential()} by default. */
  public ControllerBuilder<T> rateLimiter(RateLimiter<Request> other) {
    rateLimiter = given(other, "rateLimiter").orElse(rateLimiter);
    return this;
  }

  /**
   * Gives a request up that has failed too often in a row, until the next event; by default it is
   * tried again for ever.
   *
   * @param retries how many failures are followed by another try; zero or more
   * @param giveUp called at the failure after those, by the worker
   */
  public ControllerBuilder<T> maxRetries(int retries, GiveUp<Request> giveUp) {
    if (retries < 0) {
      misuses.add("can't try again " + retries + " times: use zero for never");
    } else if (given(giveUp, "maxRetries").isPresent()) {
      retryLimit = queue -> queue.withMaxRetries(retries, giveUp);
    }
    return this;
  }

  /** Hears what happens in the queue; for metrics. */
  public ControllerBuilder<T> queueListener(WorkQueueListener other) {
    queueListener = given(other, "queueListener").orElse(queueListener);
    return this;
  }

  /** Hears how reconciles end. */
  public ControllerBuilder<T> listener(ControllerListener other) {
    listener = given(other, "listener").orElse(listener);
    return this;
  }

  /**
   * Whether it runs on the leader only, if a leader is elected; true by default. The writes of one
   * that does not are not fenced.
   */
  public ControllerBuilder<T> needLeaderElection(boolean needed) {
    needsLeader = needed;
    return this;
  }

  /** Runs when this group leads. Its reconciles write fenced by the lease of the group. */
  public ControllerBuilder<T> leaderElection(LeaderGroup other) {
    group = given(other, "leaderElection").orElse(null);
    return this;
  }

  /**
   * Whether its sources run, and its queue fills, on a replica that does not lead yet, so that it
   * takes over at once; true by default (controller-runtime: {@code EnableWarmup}, false).
   */
  public ControllerBuilder<T> warmUp(boolean warm) {
    warmUp = warm;
    return this;
  }

  /**
   * Says what else the reconciler does with objects of a type, where this controller is at home,
   * for {@link Manager#rbac()}. Reading what is watched, and writing what is owned, need no word.
   */
  public ControllerBuilder<T> uses(Class<? extends HasMetadata> type, Verb... verbs) {
    given(type, "uses")
        .ifPresent(used -> needs.use(used, misuses.allGiven(verbs, "uses"), misuses));
    return this;
  }

  /**
   * Whether the status of the primary type is written; by default if its class is a custom resource
   * with a status. For {@link Manager#rbac()}.
   */
  public ControllerBuilder<T> usesStatus(boolean written) {
    needs.status(written);
    return this;
  }

  /**
   * The reconciler adds and removes finalizers of the primary type ({@link
   * dev.windlass.client.owned.Finalizers}). For {@link Manager#rbac()}.
   */
  public ControllerBuilder<T> usesFinalizers() {
    needs.finalizers();
    return this;
  }

  /** The reconciler. */
  public ControllerBuilder<T> reconciler(Reconciler other) {
    reconciler.ofRequests(given(other, "reconciler").orElse(null));
    return this;
  }

  /** The reconciler, as one that is given the object itself. */
  public ControllerBuilder<T> objectReconciler(ObjectReconciler<? super T> other) {
    reconciler.ofObjects(given(other, "objectReconciler").orElse(null));
    return this;
  }

  /**
   * Makes the controller and hands it to the manager, which starts it when it starts itself, or at
   * once if it runs.
   *
   * @throws IllegalStateException if something is missing or does not fit, saying what to do
   */
  public Controller register(Manager manager) {
    Optional<String> found =
        misuses
            .first()
            .or(() -> reconciler.misuse(watches.knowsMetadataOnly()))
            .or(() -> watches.misuse(manager.informers()));
    if (found.isPresent()) {
      throw misuse(found.get());
    }
    if (name != null && name.isBlank()) {
      throw misuse("has a blank name: call named(...) with the name for logs, metrics and threads");
    }
    if (!needsLeader && group != null) {
      throw misuse("runs on every replica, and has a lease: leave out one of the two calls");
    }
    if (resync != null && resync.isNegative()) {
      throw misuse("can't resync every " + resync + ": use Duration.ZERO for never");
    }
    String kind = primaryType().kind();
    String chosen = name == null ? kind.toLowerCase(Locale.ROOT) : name;
    InformerOptions surroundings = manager.informerOptions();
    Duration period = resync == null ? Resync.period(surroundings.random()) : resync;
    Watches.Sources sources = watches.sources(manager.informers(), period);
    var live = manager.replicaClient().uncached();
    ControllerMetrics metrics =
        new ControllerMetrics(Optional.of(manager.meterRegistry()), listener, queueListener);
    Controller controller =
        new Controller(
            new ControllerConfig(
                chosen,
                kind,
                sources.all(),
                ObservedReconciler.of(
                    manager, chosen, reconciler.on(sources, live, options.eventRecorder())),
                options,
                retryLimit.apply(
                    WorkQueueOptions.<Request>named(chosen)
                        .withRateLimiter(rateLimiter)
                        .withListener(metrics)
                        .withScheduler(surroundings.scheduler())),
                metrics,
                sources.states(),
                Leading.of(manager, group, needsLeader, warmUp),
                manager::fail,
                surroundings.scheduler(),
                surroundings.threads(),
                surroundings.random()),
            needs.of(watches.watched(manager.informers()), watches.home(manager.informers())));
    String named = "the controller " + chosen;
    Optional.ofNullable(group)
        .ifPresentOrElse(g -> g.add(named, controller), () -> manager.add(named, controller));
    return controller;
  }

  /** How {@link EventHandler} finds the owners of an object. */
  private interface OwnersOf<S> {
    EventHandler<S> handler(ResourceType ownerType, Supplier<? extends Indexer<?>> owners);
  }

  private <S extends HasMetadata> ControllerBuilder<T> own(
      Optional<InformerSpec<S>> spec,
      OwnersOf<S> owners,
      Predicate<? super S>[] predicates,
      String call) {
    return watch(
        spec, true, primaries -> owners.handler(primaryType(), primaries), predicates, call);
  }

  private <S extends HasMetadata> ControllerBuilder<T> watch(
      Optional<InformerSpec<S>> spec,
      boolean owned,
      Watches.HandlerOf<S> handler,
      Predicate<? super S>[] predicates,
      String call) {
    List<Predicate<? super S>> all = misuses.allGiven(predicates, call);
    spec.ifPresent(type -> watches.add(new Watches.Watch<>(type, owned, handler, all)));
    return this;
  }

  private <V> Optional<V> given(@Nullable V value, String call) {
    return misuses.given(value, call);
  }

  private ResourceType primaryType() {
    return Objects.requireNonNull(primary, "without a primary type, register refuses");
  }

  private IllegalStateException misuse(String what) {
    return new IllegalStateException(
        "the controller of " + (primary == null ? "nothing" : primary.kind()) + " " + what);
  }
}
