// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.building.BuilderErrors;
import dev.windlass.controller.building.ControllerRegistration;
import dev.windlass.controller.building.WatchSelection;
import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.NamespaceSet;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.monitoring.MetricsListener;
import dev.windlass.controller.reconcile.ControllerListener;
import dev.windlass.controller.reconcile.ErrorPolicy;
import dev.windlass.controller.reconcile.ObjectErrorPolicy;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.controller.running.ControllerOptions;
import dev.windlass.controller.running.PausableReconciler;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.rbac.Verb;
import dev.windlass.workqueue.GiveUpHook;
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
 * Builds a controller and registers it with a manager:
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
 * <p>Only the primary type and the reconciler are required. Each method either sets one option or
 * adds to earlier calls ({@code owns}, {@code watches}, {@code inNamespaces}, {@code
 * withEventFilter}, {@code uses}, {@code finalizer}). {@link #register} reports invalid use. This
 * class is not thread-safe.
 *
 * @param <T> the primary type, whose objects are reconciled
 */
@SuppressWarnings("varargs") // the arrays are only read
public final class ControllerBuilder<T extends HasMetadata> {

  private final ControllerRegistration<T> settings = new ControllerRegistration<>();
  private final BuilderErrors errors = settings.errors;

  private ControllerBuilder() {}

  /**
   * Creates a builder for a controller that reconciles each object of a type when it changes.
   *
   * @param predicates the filters of the changes; all of them must accept a change
   */
  @SafeVarargs
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      Class<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    builder.settings.primary(builder.errors.spec(primary, "forType"), predicates);
    return builder;
  }

  /**
   * Creates a builder for a controller that reconciles the objects of a spec. A spec can restrict
   * the cache to some objects or to their metadata. Its type does not need a Java class.
   *
   * @param predicates the filters of the changes; all of them must accept a change
   */
  @SafeVarargs
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      InformerSpec<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    builder.settings.primary(builder.given(primary, "forType"), predicates);
    return builder;
  }

  /**
   * Creates a builder for a controller without a primary type. Only {@link #watches} and its
   * sources request reconciles, and their keys need not name an object of the API server. The
   * controller cannot own objects.
   *
   * @param name the name of the controller, as in {@link #named}
   */
  public static ControllerBuilder<HasMetadata> withoutType(String name) {
    ControllerBuilder<HasMetadata> builder = new ControllerBuilder<>();
    builder.settings.isWithoutType = true;
    return builder.named(name);
  }

  /**
   * Reconciles an object of the primary type when an object that it controls changes. It controls
   * each object in the same cluster that has an owner reference to it with {@code controller:
   * true}. Set the reference with {@link dev.windlass.client.owned.OwnerReferences#setController
   * OwnerReferences.setController} or {@link dev.windlass.client.owned.Owned#apply Owned.apply}.
   * Changes to objects without the reference do not lead to a reconcile.
   *
   * @param predicates the filters of the changes; all of them must accept a change
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      Class<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(errors.spec(owned, "owns"), EventHandler::owner, predicates, "owns");
    return this;
  }

  /** Behaves like {@link #owns(Class, EventPredicate[])}, but for the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(given(owned, "owns"), EventHandler::owner, predicates, "owns");
    return this;
  }

  /**
   * Reconciles an object of the primary type when an object that it owns changes, whether or not it
   * is the controlling owner.
   *
   * @param predicates the filters of the changes; all of them must accept a change
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      Class<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(
        errors.spec(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
    return this;
  }

  /** Behaves like {@link #ownsEvery(Class, EventPredicate[])}, but for the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(given(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
    return this;
  }

  /**
   * Passes changes to objects of another type to a handler, which requests reconciles.
   *
   * @param predicates the filters of the changes; all of them must accept a change
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      Class<S> watched, EventHandler<? super S> handler, EventPredicate<? super S>... predicates) {
    settings.watch(
        given(handler, "watches").flatMap(present -> errors.spec(watched, "watches")),
        handler,
        predicates);
    return this;
  }

  /** Like {@link #watches(Class, EventHandler, EventPredicate[])}, for the objects of a spec. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      InformerSpec<S> watched,
      EventHandler<? super S> handler,
      EventPredicate<? super S>... predicates) {
    settings.watch(
        given(handler, "watches").flatMap(present -> given(watched, "watches")),
        handler,
        predicates);
    return this;
  }

  /**
   * Reconciles the objects of the primary type that refer to an object of another type when that
   * object is created, changed or deleted. For example, a Foo can name a ConfigMap in its spec. The
   * controller indexes the primary objects by their references.
   *
   * <pre>{@code
   * .watchesReferenced(ConfigMap.class, foo -> List.of(ObjectKey.of("default", foo.getSpec().getConfig())))
   * }</pre>
   *
   * @param keysOf returns the keys of the objects to which a primary object refers, possibly none.
   *     It is called once for each state of a primary object. If it throws, that state has no
   *     references
   * @param predicates the filters of the referenced objects' changes; all must accept a change
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watchesReferenced(
      Class<S> referenced,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>... predicates) {
    settings.watchReferenced(errors.spec(referenced, "watchesReferenced"), keysOf, predicates);
    return this;
  }

  /**
   * Behaves like {@link #watchesReferenced(Class, Function, EventPredicate[])}, but for the objects
   * of a spec.
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watchesReferenced(
      InformerSpec<S> referenced,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>... predicates) {
    settings.watchReferenced(given(referenced, "watchesReferenced"), keysOf, predicates);
    return this;
  }

  /**
   * Passes the objects that are sent through a channel to a handler, which requests reconciles.
   *
   * @param predicates the filters of the objects; all of them must accept an object
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      EventChannel<S> channel,
      EventHandler<? super S> handler,
      EventPredicate<? super S>... predicates) {
    List<EventPredicate<? super S>> own = errors.allGiven(predicates, "watches");
    if (given(channel, "watches").isPresent() && given(handler, "watches").isPresent()) {
      settings.watches.add(
          channel,
          (filters, primaries, cluster) -> channel.to(handler, WatchSelection.allOf(own, filters)));
    }
    return this;
  }

  /** Adds a source of any kind. Event filters do not apply to its requests. */
  public ControllerBuilder<T> watches(Source source) {
    given(source, "watches")
        .ifPresent(
            present -> settings.watches.add(present, (filters, primaries, cluster) -> present));
    return this;
  }

  /** Reconciles every object of the primary type each time the trigger fires. */
  public ControllerBuilder<T> watches(ReconcileAll trigger) {
    given(trigger, "watches")
        .ifPresent(
            all ->
                settings.watches.add(
                    all, (filters, primaries, cluster) -> all.over(primaries, cluster)));
    return this;
  }

  /**
   * Filters the events of all watched types. Only events that the predicate accepts lead to
   * requests. Repeated calls add filters.
   */
  public ControllerBuilder<T> withEventFilter(EventPredicate<? super HasMetadata> predicate) {
    given(predicate, "withEventFilter").ifPresent(settings.watches::addFilter);
    return this;
  }

  /**
   * Restricts the controller to the given namespaces and lists and watches each of them separately.
   * The restriction applies to namespaced types whose {@link InformerSpec} does not name a
   * namespace. Repeated calls add namespaces. The manager's restriction is the default. At least
   * one namespace is required, but a {@link NamespaceSet} can be empty.
   */
  public ControllerBuilder<T> inNamespaces(String... namespaces) {
    settings.watches.namespaces().add(errors.allGiven(namespaces, "inNamespaces"));
    return this;
  }

  /** Restricts the controller to the namespaces of a set, which can change at runtime. */
  public ControllerBuilder<T> inNamespaces(NamespaceSet namespaces) {
    given(namespaces, "inNamespaces").ifPresent(settings.watches.namespaces()::follow);
    return this;
  }

  /**
   * Restricts the controller to the namespaces whose labels match, including namespaces that start
   * to match at runtime. The controller then watches Namespaces, which requires cluster-wide
   * permissions.
   *
   * @param selector a label selector in the syntax of the API server, such as {@code team=blue}
   */
  public ControllerBuilder<T> inNamespacesWith(String selector) {
    errors.take(selector, "inNamespacesWith", settings.watches.namespaces()::select);
    return this;
  }

  /**
   * Sets the name of the controller in logs, metrics and threads, and as a field owner. The default
   * is the kind of the primary type in lower case. A name consists of lower-case letters, digits,
   * {@code -} and {@code .}, and begins and ends with a letter or digit, such as {@code foo} or
   * {@code foos.example.com}.
   */
  public ControllerBuilder<T> named(String other) {
    settings.name = given(other, "named").orElse(null);
    return this;
  }

  /** Sets the maximum number of concurrent reconciles. The default is 1 (controller-runtime). */
  public ControllerBuilder<T> maxConcurrentReconciles(int number) {
    return set("maxConcurrentReconciles", options -> options.withMaxConcurrentReconciles(number));
  }

  /** Sets a limit on concurrent reconciles that all controllers with the same instance share. */
  public ControllerBuilder<T> concurrencyLimit(ConcurrencyLimit shared) {
    return set(
        "concurrencyLimit", shared, (options, limit) -> options.withLimit(limit.semaphore()));
  }

  /**
   * Pauses objects of the primary type while they have an annotation with any value except {@code
   * false}. Paused objects are neither reconciled nor cleaned up. An object is reconciled as soon
   * as its annotation is removed, regardless of predicates. Each pause and each resumption is
   * reported in one log line. With an {@link #eventRecorder}, it is also reported as an Event
   * {@code Paused} or {@code Resumed}.
   *
   * @param annotation the key of the annotation, such as {@code example.com/paused}
   */
  public ControllerBuilder<T> pausedBy(String annotation) {
    errors.take(
        annotation,
        "pausedBy",
        name -> settings.watches.pausedBy(PausableReconciler.checked(name)));
    return this;
  }

  /**
   * Sets the minimum time between the starts of two reconciles of one object. The default is zero,
   * which disables the limit. The first event leads to an immediate reconcile. Later requests
   * within the interval, from changes, {@code requeueAfter} or retries, are merged and wait until
   * it has passed.
   */
  public ControllerBuilder<T> minimumInterval(Duration interval) {
    return set("minimumInterval", interval, ControllerOptions::withMinimumInterval);
  }

  /**
   * Ignores events that show exactly what a reconcile of the same object wrote. By default they
   * lead to another reconcile, on which reconcilers with several steps rely.
   */
  public ControllerBuilder<T> ignoreOwnEvents() {
    return set("ignoreOwnEvents", ControllerOptions::withIgnoreOwnEvents);
  }

  /**
   * Sets the time after which a reconcile is cancelled and its thread is interrupted. The default
   * is zero, which disables the time-out (controller-runtime).
   */
  public ControllerBuilder<T> reconcileTimeout(Duration timeout) {
    return set("reconcileTimeout", timeout, ControllerOptions::withReconcileTimeout);
  }

  /**
   * Sets the run time after which a warning names a reconcile and the code location of its thread.
   * The warning is repeated each time the run time has doubled. The default is 5 min.
   */
  public ControllerBuilder<T> slowAfter(Duration duration) {
    return set("slowAfter", duration, ControllerOptions::withSlowAfter);
  }

  /**
   * Sets the time after which a warning names the sources that have not synced. The controller
   * still retries them. The default is 2 min (controller-runtime's {@code CacheSyncTimeout}).
   */
  public ControllerBuilder<T> syncTimeout(Duration timeout) {
    return set("syncTimeout", timeout, ControllerOptions::withSyncTimeout);
  }

  /**
   * Makes the controller and its manager fail if a source has not synced within {@link
   * #syncTimeout}.
   */
  public ControllerBuilder<T> failOnSyncTimeout() {
    return set("failOnSyncTimeout", ControllerOptions::withFailOnSyncTimeout);
  }

  /** Sets the policy for failed requests. The default is {@link ErrorPolicy#DEFAULT}. */
  public ControllerBuilder<T> errorPolicy(ErrorPolicy policy) {
    return set("errorPolicy", policy, ControllerOptions::withErrorPolicy);
  }

  /**
   * Sets a policy for failed reconciles that receives the object. It replaces {@link #errorPolicy}.
   * For example, it can write the failure to the status and rethrow the exception.
   */
  public ControllerBuilder<T> onError(ObjectErrorPolicy<? super T> policy) {
    settings.reconciler.onError(given(policy, "onError").orElse(null));
    return this;
  }

  /**
   * Disables the detection of reconcile loops, which reports requests that run often and limits
   * proven loops to one run per second.
   */
  public ControllerBuilder<T> withoutLoopDetection() {
    return set("withoutLoopDetection", options -> options.withLoopDetection(false));
  }

  /**
   * Sets the factory of the worker threads, which can create virtual threads. The default is the
   * manager's factory.
   */
  public ControllerBuilder<T> workerThreads(ThreadFactory factory) {
    return set("workerThreads", factory, ControllerOptions::withThreads);
  }

  /**
   * Sets the recorder of Warning Events {@code Undecodable}. One Event is recorded for each object
   * that does not fit its class, and another one only after the object has changed. By default,
   * these objects are only logged, because Events require permissions.
   */
  public ControllerBuilder<T> eventRecorder(EventRecorder recorder) {
    return set("eventRecorder", recorder, ControllerOptions::withEventRecorder);
  }

  /**
   * Sets the period after which every object is reconciled without an event. Zero disables the
   * resync. The default is 10 h ± 10 %.
   */
  public ControllerBuilder<T> resync(Duration period) {
    settings.resync = given(period, "resync").orElse(null);
    return this;
  }

  /**
   * Sets the rate limiter, which determines how long a failed request waits. The default is {@link
   * RateLimiter#exponential()}.
   */
  public ControllerBuilder<T> rateLimiter(RateLimiter<Request> other) {
    settings.rateLimiter = given(other, "rateLimiter").orElse(settings.rateLimiter);
    return this;
  }

  /**
   * Limits the consecutive retries of a request. After the last retry has failed, the request is
   * dropped until the next event. By default, a request is retried indefinitely.
   *
   * @param retries the maximum number of consecutive retries; zero or more
   * @param giveUp called by the worker when the request is dropped
   */
  public ControllerBuilder<T> maxRetries(int retries, GiveUpHook<Request> giveUp) {
    if (retries < 0) {
      errors.add("can't retry " + retries + " times: use zero for no retries");
    } else if (given(giveUp, "maxRetries").isPresent()) {
      settings.retryLimit = queue -> queue.withMaxRetries(retries, giveUp);
    }
    return this;
  }

  /** Sets the listener for events of the work queue, for example for metrics. */
  public ControllerBuilder<T> queueListener(WorkQueueListener other) {
    settings.queueListener = given(other, "queueListener").orElse(settings.queueListener);
    return this;
  }

  /** Sets the listener for the outcomes of reconciles. */
  public ControllerBuilder<T> listener(ControllerListener other) {
    settings.listener = given(other, "listener").orElse(settings.listener);
    return this;
  }

  /**
   * Runs the controller on every replica. By default, it runs only on the leader if leader election
   * is enabled. The writes of a controller that runs on every replica are not fenced.
   */
  public ControllerBuilder<T> onEveryReplica() {
    settings.needsLeader = false;
    return this;
  }

  /**
   * Runs the controller while this replica leads the group. The lease of the group fences the
   * writes of the controller's reconciles.
   */
  public ControllerBuilder<T> leaderElection(LeaderGroup other) {
    settings.group = given(other, "leaderElection").orElse(null);
    return this;
  }

  /**
   * Keeps caches empty until this replica leads. By default, they are filled earlier so that the
   * replica can take over immediately, while the queue stays empty (controller-runtime: {@code
   * EnableWarmup}, which is off by default).
   */
  public ControllerBuilder<T> withoutWarmUp() {
    settings.warmUp = false;
    return this;
  }

  /**
   * Declares further operations of the reconciler on objects of a type in the namespaces of this
   * controller, for {@link Manager#rbac()}. Reading watched types and writing owned types need no
   * declaration. If the verbs for an owned type include writes, they replace the default permission
   * for all kinds of writes.
   */
  public ControllerBuilder<T> uses(Class<? extends HasMetadata> type, Verb... verbs) {
    given(type, "uses")
        .ifPresent(used -> settings.needs.use(used, errors.allGiven(verbs, "uses"), errors));
    return this;
  }

  /**
   * Declares that the reconciler writes the status of the primary type, for {@link Manager#rbac()}.
   * This is the default for custom resource classes with a status.
   */
  public ControllerBuilder<T> usesStatus() {
    settings.needs.status(true);
    return this;
  }

  /** Declares that the reconciler does not write the status of the primary type. */
  public ControllerBuilder<T> usesNoStatus() {
    settings.needs.status(false);
    return this;
  }

  /**
   * Declares that the reconciler itself adds and removes finalizers of the primary type, for {@link
   * Manager#rbac()}. Finalizers registered with {@link #finalizer} need no declaration.
   */
  public ControllerBuilder<T> usesFinalizers() {
    settings.needs.finalizers();
    return this;
  }

  /**
   * Registers a finalizer, which keeps a deleted object of the primary type until it is cleaned up.
   * The finalizer is added before the first reconcile. While the object is being deleted, the
   * clean-up is called instead of the reconciler. The finalizer is removed when the clean-up
   * returns {@link dev.windlass.controller.reconcile.Result#done()}. If there are several
   * finalizers, they are added and cleaned up in the order of registration.
   *
   * @param name the finalizer, such as {@code example.com/bucket}
   * @param cleanUp an idempotent action; any other result, or an exception, keeps the finalizer
   */
  public ControllerBuilder<T> finalizer(String name, ObjectReconciler<? super T> cleanUp) {
    if (given(name, "finalizer").isPresent() && given(cleanUp, "finalizer").isPresent()) {
      settings.needs.finalizers();
      try {
        settings.reconciler.finalizer(name, cleanUp);
      } catch (IllegalArgumentException e) {
        errors.cantUse("finalizer", e);
      }
    }
    return this;
  }

  /** Sets the reconciler. */
  public ControllerBuilder<T> reconciler(Reconciler other) {
    settings.reconciler.ofRequests(given(other, "reconciler").orElse(null));
    return this;
  }

  /** Sets a reconciler that receives the object instead of its key. */
  public ControllerBuilder<T> objectReconciler(ObjectReconciler<? super T> other) {
    settings.reconciler.ofObjects(given(other, "objectReconciler").orElse(null));
    return this;
  }

  /**
   * Creates the controller and adds it to the manager. The manager starts the controller when it
   * starts itself, or immediately if it is already running.
   *
   * @throws IllegalStateException if a setting is missing or contradicts another; the message
   *     states the remedy
   */
  public Controller register(Manager manager) {
    MetricsListener metrics =
        new MetricsListener(
            Optional.of(manager.meterRegistry()), settings.listener, settings.queueListener);
    return settings.register(
        manager, metrics, metrics, (config, rights) -> new Controller(config, metrics, rights));
  }

  private ControllerBuilder<T> set(String call, UnaryOperator<ControllerOptions> change) {
    try {
      settings.options = change.apply(settings.options);
    } catch (IllegalArgumentException e) {
      errors.cantUse(call, e);
    }
    return this;
  }

  private <V> ControllerBuilder<T> set(
      String call, V value, BiFunction<ControllerOptions, V, ControllerOptions> change) {
    return given(value, call).isEmpty() ? this : set(call, options -> change.apply(options, value));
  }

  private <V> Optional<V> given(@Nullable V value, String call) {
    return errors.given(value, call);
  }
}
