// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.building.BuilderErrors;
import dev.windlass.controller.building.Registration;
import dev.windlass.controller.building.Watches;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.ObjectErrorPolicy;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ControllerOptions;
import dev.windlass.controller.running.Pausing;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.rbac.Verb;
import dev.windlass.workqueue.GiveUp;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Describes a controller in a sentence and registers it:
 *
 * <pre>{@code
 * ControllerBuilder.forType(Foo.class)
 *     .owns(Deployment.class)
 *     .objectReconciler((foo, context) -> {
 *       Owned.apply(context.client(), foo, deploymentOf(foo));
 *       return Result.done();
 *     })
 *     .register(manager);
 * }</pre>
 *
 * <p>Only the primary type and the reconciler are required. Each method either sets one option, or
 * adds to what was given before ({@code owns}, {@code watches}, {@code inNamespaces}, {@code
 * withEventFilter}, {@code uses}, {@code finalizer}). Misuse is reported by {@link #register}. For
 * use by one thread.
 *
 * @param <T> the primary type: the one whose objects are reconciled
 */
@SuppressWarnings("varargs") // the arrays are only read
public final class ControllerBuilder<T extends HasMetadata> {

  private final Registration<T> told = new Registration<>();
  private final BuilderErrors misuses = told.misuses;

  private ControllerBuilder() {}

  /**
   * A controller of the objects of a type, each of which is reconciled when it changes.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      Class<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    builder.told.primary(builder.misuses.spec(primary, "forType"), predicates);
    return builder;
  }

  /**
   * A controller of the objects of a spec, which may restrict what is cached to some objects, or to
   * their metadata, and whose type need not have a class.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      InformerSpec<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    builder.told.primary(builder.given(primary, "forType"), predicates);
    return builder;
  }

  /**
   * A controller without a primary type: only {@link #watches} and its sources lead to reconciles,
   * of keys that need not name an object of the API server. It can't own anything.
   *
   * @param name what the controller is called
   */
  public static ControllerBuilder<HasMetadata> withoutType(String name) {
    ControllerBuilder<HasMetadata> builder = new ControllerBuilder<>();
    builder.told.isWithoutType = true;
    return builder.named(name);
  }

  /**
   * Reconciles an object of the primary type when one that it controls changes, that is, one in the
   * same cluster whose owner reference with {@code controller: true} names it.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      Class<S> owned, EventPredicate<? super S>... predicates) {
    told.own(misuses.spec(owned, "owns"), EventHandler::owner, predicates, "owns");
    return this;
  }

  /** As {@link #owns(Class, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
    told.own(given(owned, "owns"), EventHandler::owner, predicates, "owns");
    return this;
  }

  /**
   * Reconciles an object of the primary type when one changes that has it among its owners, as the
   * controller or not.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      Class<S> owned, EventPredicate<? super S>... predicates) {
    told.own(misuses.spec(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
    return this;
  }

  /** As {@link #ownsEvery(Class, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
    told.own(given(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
    return this;
  }

  /**
   * Reconciles what the handler says when an object of another type changes.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      Class<S> watched, EventHandler<? super S> handler, EventPredicate<? super S>... predicates) {
    told.watch(
        given(handler, "watches").flatMap(present -> misuses.spec(watched, "watches")),
        handler,
        predicates);
    return this;
  }

  /** As {@link #watches(Class, EventHandler, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      InformerSpec<S> watched,
      EventHandler<? super S> handler,
      EventPredicate<? super S>... predicates) {
    told.watch(
        given(handler, "watches").flatMap(present -> given(watched, "watches")),
        handler,
        predicates);
    return this;
  }

  /**
   * Reconciles the objects of the primary type that refer to an object of another type when that
   * changes, comes or goes: a ConfigMap that a Foo names in its spec, for instance. This keeps an
   * index of the primary cache.
   *
   * <pre>{@code
   * .watchesReferenced(ConfigMap.class, foo -> List.of(ObjectKey.of("default", foo.getSpec().getConfig())))
   * }</pre>
   *
   * @param keysOf the keys of the objects to which a primary object refers, maybe none; asked once
   *     for each state of a primary object. If it throws, that state refers to nothing
   * @param predicates which changes of the others matter; all of them must agree
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watchesReferenced(
      Class<S> referenced,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>... predicates) {
    told.watchReferenced(misuses.spec(referenced, "watchesReferenced"), keysOf, predicates);
    return this;
  }

  /** As {@link #watchesReferenced(Class, Function, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watchesReferenced(
      InformerSpec<S> referenced,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>... predicates) {
    told.watchReferenced(given(referenced, "watchesReferenced"), keysOf, predicates);
    return this;
  }

  /**
   * Reconciles what the handler says when an object is sent.
   *
   * @param predicates which of them matter; all of them must agree
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      EventChannel<S> channel,
      EventHandler<? super S> handler,
      EventPredicate<? super S>... predicates) {
    List<EventPredicate<? super S>> own = misuses.allGiven(predicates, "watches");
    if (given(channel, "watches").isPresent() && given(handler, "watches").isPresent()) {
      told.watches.add(
          channel,
          (filters, primaries, cluster) -> channel.to(handler, Watches.allOf(own, filters)));
    }
    return this;
  }

  /** Reconciles what a source of any kind asks for. Event filters do not apply to it. */
  public ControllerBuilder<T> watches(Source source) {
    given(source, "watches")
        .ifPresent(present -> told.watches.add(present, (filters, primaries, cluster) -> present));
    return this;
  }

  /** Reconciles every object of the primary type whenever it is triggered. */
  public ControllerBuilder<T> watches(ReconcileAll trigger) {
    given(trigger, "watches")
        .ifPresent(
            all ->
                told.watches.add(
                    all, (filters, primaries, cluster) -> all.over(primaries, cluster)));
    return this;
  }

  /** Lets only those events through, of all watched types, that the predicate does. Adds up. */
  public ControllerBuilder<T> withEventFilter(EventPredicate<? super HasMetadata> predicate) {
    given(predicate, "withEventFilter").ifPresent(told.watches::addFilter);
    return this;
  }

  /**
   * Watches these namespaces only, each with a list and a watch of its own. It holds for types that
   * live in namespaces and whose {@link InformerSpec} names none. Adds up. By default it is what
   * the manager is restricted to. At least one; a {@link NamespaceSet} may be empty.
   */
  public ControllerBuilder<T> inNamespaces(String... namespaces) {
    told.watches.namespaces().add(misuses.allGiven(namespaces, "inNamespaces"));
    return this;
  }

  /** Watches the namespaces of a set, which may change while the controller runs. */
  public ControllerBuilder<T> inNamespaces(NamespaceSet namespaces) {
    given(namespaces, "inNamespaces").ifPresent(told.watches.namespaces()::follow);
    return this;
  }

  /**
   * Watches the namespaces whose labels match, and those that come to match while the controller
   * runs. This watches Namespaces, and needs rights in the whole cluster.
   *
   * @param selector in the syntax of the API server, such as {@code team=blue}
   */
  public ControllerBuilder<T> inNamespacesWith(String selector) {
    misuses.take(selector, "inNamespacesWith", told.watches.namespaces()::select);
    return this;
  }

  /**
   * Names the controller in logs, metrics and threads, and as the owner of fields; by default it is
   * the kind of the primary type in lower case. Not blank, without control characters.
   */
  public ControllerBuilder<T> named(String other) {
    told.name = given(other, "named").orElse(null);
    return this;
  }

  /** How many objects may be reconciled at the same time; 1 by default (controller-runtime). */
  public ControllerBuilder<T> maxConcurrentReconciles(int number) {
    return set("maxConcurrentReconciles", options -> options.withMaxConcurrentReconciles(number));
  }

  /** Limits concurrent reconciles together with the other controllers that are given the same. */
  public ControllerBuilder<T> concurrencyLimit(ConcurrencyLimit shared) {
    return set("concurrencyLimit", shared, (options, limit) -> options.withLimit(limit.turns()));
  }

  /**
   * Does not reconcile objects of the primary type while they have an annotation, with any value
   * but {@code false}; nor does it clean them up. An object is reconciled at once when its
   * annotation goes, whatever predicates say. Each pause and its end are told by one line of the
   * log, and by an Event {@code Paused} or {@code Resumed} if there is an {@link #eventRecorder}.
   *
   * @param annotation such as {@code example.com/paused}
   */
  public ControllerBuilder<T> pausedBy(String annotation) {
    misuses.take(annotation, "pausedBy", name -> told.watches.pausedBy(Pausing.checked(name)));
    return this;
  }

  /**
   * The least time between the beginnings of two reconciles of one object; zero, the default, for
   * none. The first event leads to a reconcile at once, and those that follow within the interval
   * wait together for its end, whatever they are: changes, {@code requeueAfter} and retries.
   */
  public ControllerBuilder<T> minimumInterval(Duration interval) {
    return set("minimumInterval", interval, ControllerOptions::withMinimumInterval);
  }

  /**
   * When a reconcile is cancelled and its thread interrupted; zero, the default, for never
   * (controller-runtime).
   */
  public ControllerBuilder<T> reconcileTimeout(Duration timeout) {
    return set("reconcileTimeout", timeout, ControllerOptions::withReconcileTimeout);
  }

  /**
   * How long a reconcile may run before a warning names it and where its thread is, and again each
   * time that it has run twice as long; 5 min by default.
   */
  public ControllerBuilder<T> slowAfter(Duration duration) {
    return set("slowAfter", duration, ControllerOptions::withSlowAfter);
  }

  /**
   * How long sources may take to sync before a warning names those that have not; 2 min by default
   * (controller-runtime's {@code CacheSyncTimeout}). They keep trying.
   */
  public ControllerBuilder<T> syncTimeout(Duration timeout) {
    return set("syncTimeout", timeout, ControllerOptions::withSyncTimeout);
  }

  /** Lets the controller, and its manager, fail if a source has not synced in time. */
  public ControllerBuilder<T> failOnSyncTimeout() {
    return set("failOnSyncTimeout", ControllerOptions::withFailOnSyncTimeout);
  }

  /** Decides what happens to failed requests; {@link ErrorPolicy#DEFAULT} by default. */
  public ControllerBuilder<T> errorPolicy(ErrorPolicy policy) {
    return set("errorPolicy", policy, ControllerOptions::withErrorPolicy);
  }

  /**
   * Decides what happens after a reconcile of an object has failed, in place of {@link
   * #errorPolicy}: for instance, writes the failure into the status, and throws the error again.
   */
  public ControllerBuilder<T> onError(ObjectErrorPolicy<? super T> policy) {
    told.reconciler.onError(given(policy, "onError").orElse(null));
    return this;
  }

  /**
   * Switches off the detection of reconcile loops, which reports requests that run often, and
   * limits proven loops to one run per second.
   */
  public ControllerBuilder<T> withoutLoopDetection() {
    return set("withoutLoopDetection", options -> options.withLoopDetection(false));
  }

  /** Makes the worker threads; by default the manager's factory does. Virtual threads will do. */
  public ControllerBuilder<T> workerThreads(ThreadFactory factory) {
    return set("workerThreads", factory, ControllerOptions::withThreads);
  }

  /**
   * Records a Warning Event {@code Undecodable} for an object that does not fit its class, once
   * until it has changed. By default only the log says so, as Events need rights.
   */
  public ControllerBuilder<T> eventRecorder(EventRecorder recorder) {
    return set("eventRecorder", recorder, ControllerOptions::withEventRecorder);
  }

  /**
   * How often every object is reconciled without a reason; zero for never. 10 h, ±10 %, if unset.
   */
  public ControllerBuilder<T> resync(Duration period) {
    told.resync = given(period, "resync").orElse(null);
    return this;
  }

  /** Decides how long a failed request waits; {@link RateLimiter#exponential()} by default. */
  public ControllerBuilder<T> rateLimiter(RateLimiter<Request> other) {
    told.rateLimiter = given(other, "rateLimiter").orElse(told.rateLimiter);
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
      told.retryLimit = queue -> queue.withMaxRetries(retries, giveUp);
    }
    return this;
  }

  /** Hears what happens in the queue; for metrics. */
  public ControllerBuilder<T> queueListener(WorkQueueListener other) {
    told.queueListener = given(other, "queueListener").orElse(told.queueListener);
    return this;
  }

  /** Hears how reconciles end. */
  public ControllerBuilder<T> listener(ControllerListener other) {
    told.listener = given(other, "listener").orElse(told.listener);
    return this;
  }

  /**
   * Runs the controller on every replica. By default it runs on the leader only, if a leader is
   * elected. Its writes are not fenced.
   */
  public ControllerBuilder<T> onEveryReplica() {
    told.needsLeader = false;
    return this;
  }

  /** Runs when this group leads. Its reconciles write fenced by the lease of the group. */
  public ControllerBuilder<T> leaderElection(LeaderGroup other) {
    told.group = given(other, "leaderElection").orElse(null);
    return this;
  }

  /**
   * Leaves caches empty until this replica leads. By default they fill before, so that it takes
   * over at once (controller-runtime: {@code EnableWarmup}, off); the queue stays empty until then.
   */
  public ControllerBuilder<T> withoutWarmUp() {
    told.warmUp = false;
    return this;
  }

  /**
   * Declares what else the reconciler does with objects of a type in the namespaces of this
   * controller, for {@link Manager#rbac()}. Reading what is watched and writing what is owned need
   * no declaration; verbs that write an owned type replace the right to every kind of write.
   */
  public ControllerBuilder<T> uses(Class<? extends HasMetadata> type, Verb... verbs) {
    given(type, "uses")
        .ifPresent(used -> told.needs.use(used, misuses.allGiven(verbs, "uses"), misuses));
    return this;
  }

  /**
   * Declares that the status of the primary type is written, for {@link Manager#rbac()}; the
   * default for a class of a custom resource with a status.
   */
  public ControllerBuilder<T> usesStatus() {
    told.needs.status(true);
    return this;
  }

  /** Declares that the status of the primary type is not written. */
  public ControllerBuilder<T> usesNoStatus() {
    told.needs.status(false);
    return this;
  }

  /**
   * Declares that the reconciler itself adds and removes finalizers of the primary type, for {@link
   * Manager#rbac()}. {@link #finalizer} needs no declaration.
   */
  public ControllerBuilder<T> usesFinalizers() {
    told.needs.finalizers();
    return this;
  }

  /**
   * Keeps a deleted object of the primary type until it is cleaned up. The finalizer is added
   * before the first reconcile; once the object is being deleted, the clean-up is called instead of
   * the reconciler, and the finalizer removed when that returns {@link
   * dev.windlass.controller.reconcile.Result#done()}. Several are added, and cleaned up, in the
   * order of these calls.
   *
   * @param name the finalizer, such as {@code example.com/bucket}
   * @param cleanUp must be idempotent; any other result, or an exception, keeps the finalizer
   */
  public ControllerBuilder<T> finalizer(String name, ObjectReconciler<? super T> cleanUp) {
    if (given(name, "finalizer").isPresent() && given(cleanUp, "finalizer").isPresent()) {
      told.needs.finalizers();
      try {
        told.reconciler.finalizer(name, cleanUp);
      } catch (IllegalArgumentException e) {
        misuses.cantUse("finalizer", e);
      }
    }
    return this;
  }

  /** The reconciler. */
  public ControllerBuilder<T> reconciler(Reconciler other) {
    told.reconciler.ofRequests(given(other, "reconciler").orElse(null));
    return this;
  }

  /** The reconciler, as one that is given the object itself. */
  public ControllerBuilder<T> objectReconciler(ObjectReconciler<? super T> other) {
    told.reconciler.ofObjects(given(other, "objectReconciler").orElse(null));
    return this;
  }

  /**
   * Makes the controller and hands it to the manager, which starts it when it starts itself, or at
   * once if it runs.
   *
   * @throws IllegalStateException if something is missing or does not fit, saying what to do
   */
  public Controller register(Manager manager) {
    ControllerMetrics metrics =
        new ControllerMetrics(
            Optional.of(manager.meterRegistry()), told.listener, told.queueListener);
    return told.register(
        manager, metrics, metrics, (config, rights) -> new Controller(config, metrics, rights));
  }

  private ControllerBuilder<T> set(String call, UnaryOperator<ControllerOptions> change) {
    try {
      told.options = change.apply(told.options);
    } catch (IllegalArgumentException e) {
      misuses.cantUse(call, e);
    }
    return this;
  }

  private <V> ControllerBuilder<T> set(
      String call, V value, BiFunction<ControllerOptions, V, ControllerOptions> change) {
    return given(value, call).isEmpty() ? this : set(call, options -> change.apply(options, value));
  }

  private <V> Optional<V> given(@Nullable V value, String call) {
    return misuses.given(value, call);
  }
}
