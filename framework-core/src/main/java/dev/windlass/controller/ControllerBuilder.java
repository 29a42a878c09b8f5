// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.building.BuilderErrors;
import dev.windlass.controller.building.ControllerRegistration;
import dev.windlass.controller.building.DerivedPermissions;
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
import dev.windlass.controller.reconcile.ShardKey;
import dev.windlass.controller.settings.ControllerOptions;
import dev.windlass.events.EventRecorder;
import dev.windlass.informer.InformerSpec;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.rbac.Verb;
import dev.windlass.workqueue.GiveUpHook;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
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
 * <p>Only the primary type and the reconciler are required. Most methods set an option. Repeated
 * calls to {@code owns}, {@code watches}, {@code inNamespaces}, {@code withEventFilter}, {@code
 * uses} and {@code finalizer} are cumulative. {@link #register} reports the first invalid call.
 * This class is not thread-safe.
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
   * @param predicates the event filters; an event is handled only if every filter accepts it
   */
  @SafeVarargs
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      Class<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    builder.settings.primary(builder.errors.spec(primary, "forType"), predicates);
    return builder;
  }

  /**
   * Creates a builder for a controller that reconciles objects selected by a spec. The spec can
   * restrict the cache to some of the objects or to metadata. The type does not need a Java class.
   *
   * @param predicates the event filters; an event is handled only if every filter accepts it
   */
  @SafeVarargs
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      InformerSpec<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    builder.settings.primary(builder.given(primary, "forType"), predicates);
    return builder;
  }

  /**
   * Creates a builder for a controller without a primary type. Only the sources passed to {@link
   * #watches} request reconciles. The keys in the requests do not have to identify objects on the
   * API server. The controller cannot own objects.
   *
   * @param name the controller's name, as in {@link #named}
   */
  public static ControllerBuilder<HasMetadata> withoutType(String name) {
    ControllerBuilder<HasMetadata> builder = new ControllerBuilder<>();
    builder.settings.isWithoutType = true;
    return builder.named(name);
  }

  /**
   * Watches objects of another type and reconciles the primary object that controls a changed
   * object. The changed object must have an owner reference to the primary object with {@code
   * controller: true}; other changes are ignored. Both objects must be in the same cluster. Use
   * {@link dev.windlass.client.owned.OwnerReferences#setController OwnerReferences.setController}
   * or {@link dev.windlass.client.owned.Owned#apply Owned.apply} to set the reference.
   *
   * @param predicates the event filters; an event is handled only if every filter accepts it
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      Class<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(errors.spec(owned, "owns"), EventHandler::owner, predicates, "owns");
    return this;
  }

  /** Behaves like {@link #owns(Class, EventPredicate[])} for objects that a spec selects. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(given(owned, "owns"), EventHandler::owner, predicates, "owns");
    return this;
  }

  /**
   * Watches objects of another type and reconciles every primary object that owns a changed object,
   * even if another owner controls the changed object.
   *
   * @param predicates the event filters; an event is handled only if every filter accepts it
   */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      Class<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(
        errors.spec(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
    return this;
  }

  /** Behaves like {@link #ownsEvery(Class, EventPredicate[])} for objects that a spec selects. */
  @SafeVarargs
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
    settings.own(given(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
    return this;
  }

  /**
   * Watches objects of another type and passes events to a handler, which requests reconciles.
   *
   * @param predicates the event filters; an event is handled only if every filter accepts it
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

  /**
   * Behaves like {@link #watches(Class, EventHandler, EventPredicate[])} for objects that a spec
   * selects.
   */
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
   * Watches objects of another type to which primary objects refer, such as a ConfigMap that is
   * named in the spec of a Foo. When such an object is created, changed or deleted, the primary
   * objects that refer to it are reconciled. The controller indexes these references.
   *
   * <pre>{@code
   * .watchesReferenced(
   *     ConfigMap.class, foo -> List.of(References.local(foo, null, foo.getSpec().getConfig())))
   * }</pre>
   *
   * @param keysOf returns the keys of the objects to which a primary object refers, with a
   *     namespace if their type is namespaced. It is called once for each version of a primary
   *     object. If it throws an exception, for example because a user has written the name {@code
   *     a/b}, that version is treated as having no references
   * @param predicates the event filters; an event is handled only if every filter accepts it
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
   * Behaves like {@link #watchesReferenced(Class, Function, EventPredicate[])} for objects that a
   * spec selects.
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
   * @param predicates filters; an object is passed to the handler only if every filter accepts it
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

  /** Adds the given source. Event filters do not apply to the requests of this source. */
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

  /** Adds an event filter for all watched types. Any filter can reject an event. */
  public ControllerBuilder<T> withEventFilter(EventPredicate<? super HasMetadata> predicate) {
    given(predicate, "withEventFilter").ifPresent(settings.watches::addFilter);
    return this;
  }

  /**
   * Restricts the controller to the given namespaces. The controller lists and watches each of them
   * separately. The restriction applies to namespaced types, unless their {@link InformerSpec}
   * specifies a namespace. Repeated calls add namespaces. At least one is required; use a {@link
   * NamespaceSet} if the set can be empty. By default, the manager's restriction applies.
   */
  public ControllerBuilder<T> inNamespaces(String... namespaces) {
    settings.watches.namespaces().add(errors.allGiven(namespaces, "inNamespaces"));
    return this;
  }

  /** Restricts the controller to the namespaces in a set, which can change at runtime. */
  public ControllerBuilder<T> inNamespaces(NamespaceSet namespaces) {
    given(namespaces, "inNamespaces").ifPresent(settings.watches.namespaces()::follow);
    return this;
  }

  /**
   * Restricts the controller to the namespaces whose labels match a selector. The set of these
   * namespaces can change at runtime. The controller watches all Namespaces, which requires
   * cluster-wide permissions.
   *
   * @param selector a label selector in the syntax of the API server, such as {@code team=blue}
   */
  public ControllerBuilder<T> inNamespacesWith(String selector) {
    errors.take(selector, "inNamespacesWith", settings.watches.namespaces()::select);
    return this;
  }

  /**
   * Sets the controller's name, which is used in logs, metrics and thread names, and as the field
   * owner. The default is the primary type's kind in lower case. A name consists of lower-case
   * letters, digits, {@code -} and {@code .}, and begins and ends with a letter or a digit.
   */
  public ControllerBuilder<T> named(String other) {
    settings.name = given(other, "named").orElse(null);
    return this;
  }

  /**
   * Sets other field owners, such as former names of the controller, whose fields its applies take
   * over. An apply then removes those fields that it omits. No other program may use these field
   * owners for the same objects. The default is none.
   */
  public ControllerBuilder<T> formerFieldOwners(String... owners) {
    return set("formerFieldOwners", options -> options.formerFieldOwners = Set.of(owners));
  }

  /**
   * Sets the maximum number of concurrent reconciles. The default is 1, as in controller-runtime.
   */
  public ControllerBuilder<T> maxConcurrentReconciles(int number) {
    return set("maxConcurrentReconciles", options -> options.maxConcurrentReconciles = number);
  }

  /** Sets a concurrency limit. Controllers that use the same instance share the limit. */
  public ControllerBuilder<T> concurrencyLimit(ConcurrencyLimit shared) {
    return set("concurrencyLimit", shared, (options, limit) -> options.limit = limit.semaphore());
  }

  /**
   * Pauses the reconciliation of a primary object while the object has the given annotation with
   * any value except {@code false}. The controller neither reconciles a paused object nor calls its
   * finalizers. When the annotation is removed, it reconciles the object even if predicates reject
   * the change. It logs each pause and each resumption. It also records a {@code Paused} or {@code
   * Resumed} Event.
   *
   * @param annotation the annotation key, such as {@code example.com/paused}
   */
  public ControllerBuilder<T> pausedBy(String annotation) {
    errors.take(annotation, "pausedBy", settings.watches::pausedBy);
    return this;
  }

  /**
   * Sets the minimum time between the starts of two consecutive reconciles of an object. The
   * default is zero, which disables the minimum. The first event leads to an immediate reconcile.
   * The controller merges all further requests within the interval, including retries and those
   * caused by {@code requeueAfter}, into one request, which becomes ready when the interval ends.
   */
  public ControllerBuilder<T> minimumInterval(Duration interval) {
    return set("minimumInterval", interval, (options, value) -> options.minimumInterval = value);
  }

  /**
   * Ignores events that only writes by the object's own reconciles have caused. Reconcilers that
   * work in several steps need them. Applies then specify the cached {@code resourceVersion}.
   */
  public ControllerBuilder<T> ignoreOwnEvents() {
    return set("ignoreOwnEvents", options -> options.ignoreOwnEvents = true);
  }

  /**
   * Sets the time after which the controller cancels a reconcile and interrupts its thread. The
   * default is zero, which disables the time-out, as in controller-runtime.
   */
  public ControllerBuilder<T> reconcileTimeout(Duration timeout) {
    return set("reconcileTimeout", timeout, (options, value) -> options.reconcileTimeout = value);
  }

  /**
   * Sets the run time after which the controller logs a slow reconcile and its code location. It
   * repeats this warning each time the run time has doubled. The default is 5 min.
   */
  public ControllerBuilder<T> slowAfter(Duration duration) {
    return set("slowAfter", duration, (options, value) -> options.slowAfter = value);
  }

  /**
   * Sets the time after which the controller logs a warning if sources have not synced. The warning
   * names these sources. The controller continues to retry them. The default is 2 min, as in
   * controller-runtime ({@code CacheSyncTimeout}).
   */
  public ControllerBuilder<T> syncTimeout(Duration timeout) {
    return set("syncTimeout", timeout, (options, value) -> options.syncTimeout = value);
  }

  /** Makes the controller and its manager fail if a source exceeds the {@link #syncTimeout}. */
  public ControllerBuilder<T> failOnSyncTimeout() {
    return set("failOnSyncTimeout", options -> options.failOnSyncTimeout = true);
  }

  /**
   * Sets the policy for failed requests, which cannot end the retries of a failed clean-up; see
   * {@link #finalizer}. The default is {@link ErrorPolicy#DEFAULT}.
   */
  public ControllerBuilder<T> errorPolicy(ErrorPolicy policy) {
    return set("errorPolicy", policy, (options, value) -> options.errorPolicy = value);
  }

  /**
   * Sets an error policy that receives the object, also after a failed clean-up, whose retries it
   * cannot end; see {@link #finalizer}. It is used instead of {@link #errorPolicy}. For example, it
   * can write the failure to the status and rethrow the exception.
   */
  public ControllerBuilder<T> onError(ObjectErrorPolicy<? super T> policy) {
    settings.reconciler.onError(given(policy, "onError").orElse(null));
    return this;
  }

  /**
   * Disables the detection of reconcile loops. By default, the controller logs a warning about
   * requests that run very often or in a loop. It does not delay them.
   */
  public ControllerBuilder<T> withoutLoopDetection() {
    return set("withoutLoopDetection", options -> options.loopDetection = false);
  }

  /**
   * Sets the factory that creates the worker threads, for example as virtual threads. The default
   * is the manager's factory.
   */
  public ControllerBuilder<T> workerThreads(ThreadFactory factory) {
    return set("workerThreads", factory, (options, value) -> options.threads = value);
  }

  /**
   * Sets the recorder for the controller's own Events about its primary objects. The controller
   * records a Warning {@code ReconcileFailed} if an object has failed for 10 s or is not retried,
   * and {@code Undecodable} if an object cannot be decoded, both once per cause and hour; and
   * {@code Paused} and {@code Resumed}. The default is {@link Manager#eventRecorder} with the
   * controller's name, for which {@link Manager#permissions()} contains the permissions, or none if
   * the objects are in another cluster. {@link EventRecorder#NONE} disables these Events.
   */
  public ControllerBuilder<T> eventRecorder(EventRecorder recorder) {
    return set("eventRecorder", recorder, (options, value) -> options.eventRecorder = value);
  }

  /**
   * Sets the period of the resync, which reconciles every object even if nothing has changed. Zero
   * disables the resync. The default is 10 h ± 10 %.
   */
  public ControllerBuilder<T> resync(Duration period) {
    settings.resync = given(period, "resync").orElse(null);
    return this;
  }

  /**
   * Sets which requests take turns. A request waits for at most one request of each other group
   * with the same priority, however many there are. By default, the namespaces of the program's own
   * cluster, and the other clusters, take turns. For a controller of a few tenants, for example,
   * the group can be the tenant to which an object belongs.
   *
   * @param groupOf returns the group of a request, see {@link WorkQueueOptions#withGrouping}
   */
  public ControllerBuilder<T> grouping(Function<? super Request, ?> groupOf) {
    settings.grouping =
        this.<Function<? super Request, ?>>given(groupOf, "grouping").orElse(settings.grouping);
    return this;
  }

  /**
   * Sets the rate limiter, which determines the delay before a failed request is retried. The
   * default is {@link RateLimiter#exponential()}.
   */
  public ControllerBuilder<T> rateLimiter(RateLimiter<Request> other) {
    settings.rateLimiter = given(other, "rateLimiter").orElse(settings.rateLimiter);
    return this;
  }

  /**
   * Limits the consecutive retries of a request. After the last one, the next event, {@link
   * #resync} or {@link #retryAfterGivingUp} leads to the next run. By default, the controller
   * retries a request indefinitely.
   *
   * @param retries the maximum number of consecutive retries; zero or more
   * @param giveUp a hook that the worker calls when it drops the request
   */
  public ControllerBuilder<T> maxRetries(int retries, GiveUpHook<Request> giveUp) {
    if (retries < 0) {
      errors.add("can't retry " + retries + " times: use zero for no retries");
    } else if (given(giveUp, "maxRetries").isPresent()) {
      settings.retryLimit = queue -> queue.withMaxRetries(retries, giveUp);
    }
    return this;
  }

  /**
   * Retries a request at this interval after the controller has given up on it: after the last of
   * {@link #maxRetries}, which then start again, or after a {@link
   * dev.windlass.controller.reconcile.TerminalException}. The default is zero: the next event or
   * {@link #resync} leads to the next run.
   */
  public ControllerBuilder<T> retryAfterGivingUp(Duration interval) {
    return set(
        "retryAfterGivingUp", interval, (options, value) -> options.retryAfterGivingUp = value);
  }

  /** Sets the listener for work queue events, for example for metrics. */
  public ControllerBuilder<T> queueListener(WorkQueueListener other) {
    settings.queueListener = given(other, "queueListener").orElse(settings.queueListener);
    return this;
  }

  /** Sets the listener for reconcile outcomes. */
  public ControllerBuilder<T> listener(ControllerListener other) {
    settings.listener = given(other, "listener").orElse(settings.listener);
    return this;
  }

  /**
   * Runs the controller on every replica, without leader election. By default, if leader election
   * is enabled, the controller runs only on the leader.
   */
  public ControllerBuilder<T> onEveryReplica() {
    settings.needsLeader = false;
    return this;
  }

  /**
   * Runs the controller only while this replica is the leader of the given group. Writes of the
   * controller's reconciles are fenced by the group's lease; see {@link dev.windlass.leader.Fence}.
   */
  public ControllerBuilder<T> leaderElection(LeaderGroup other) {
    settings.group = given(other, "leaderElection").orElse(null);
    return this;
  }

  /**
   * Divides the objects among the replicas; see {@link #sharded(ShardKey)}. The key is {@link
   * ShardKey#OBJECT}.
   */
  public ControllerBuilder<T> sharded() {
    return sharded(ShardKey.OBJECT);
  }

  /**
   * Divides the objects among the replicas. Each replica reconciles the objects of the shards whose
   * leases it holds; {@link dev.windlass.manager.ManagerBuilder#shards} sets their number. The
   * caches of each replica contain all objects. Without shards, the controller runs on the leader.
   *
   * <p>Every replica receives the events of informers and drops the requests for objects of others.
   * What only one replica receives, such as a message of an {@link
   * dev.windlass.controller.enqueue.EventChannel}, is lost if another replica owns the object.
   *
   * @param key what decides to which shard an object belongs
   */
  public ControllerBuilder<T> sharded(ShardKey key) {
    settings.sharded = given(key, "sharded").orElse(null);
    return this;
  }

  /**
   * Disables the warm-up, so the caches remain empty until this replica becomes the leader. By
   * default, the caches fill earlier, so that the replica can take over immediately. In
   * controller-runtime, warm-up is disabled by default ({@code EnableWarmup}).
   */
  public ControllerBuilder<T> withoutWarmUp() {
    settings.warmUp = false;
    return this;
  }

  /**
   * Declares, for {@link Manager#permissions()}, further operations that the reconciler performs on
   * objects of a type in this controller's namespaces. Reads of watched types and writes of owned
   * types do not have to be declared. For an owned type, all write verbs are permitted by default;
   * if the given verbs include a write verb, they replace this default.
   */
  public ControllerBuilder<T> uses(Class<? extends HasMetadata> type, Verb... verbs) {
    given(type, "uses")
        .ifPresent(used -> settings.needs.use(used, errors.allGiven(verbs, "uses"), errors));
    return this;
  }

  /**
   * Declares, for {@link Manager#permissions()}, that the reconciler writes the primary type's
   * status. This is the default for custom resource classes with a status.
   *
   * @param verbs the verbs with which it does so; none for {@link Verb#UPDATE} and {@link
   *     Verb#PATCH}
   */
  public ControllerBuilder<T> usesStatus(Verb... verbs) {
    settings.needs.status(
        verbs.length == 0
            ? DerivedPermissions.EVERY_WRITE_OF_STATUS
            : List.copyOf(errors.allGiven(verbs, "usesStatus")));
    return this;
  }

  /** Declares, for {@link Manager#permissions()}, that the reconciler does not write the status. */
  public ControllerBuilder<T> usesNoStatus() {
    settings.needs.status(List.of());
    return this;
  }

  /**
   * Declares, for {@link Manager#permissions()}, that the reconciler itself adds and removes
   * finalizers of the primary type. You do not have to declare finalizers registered with {@link
   * #finalizer}.
   */
  public ControllerBuilder<T> usesFinalizers() {
    settings.needs.finalizers();
    return this;
  }

  /**
   * Registers a finalizer, which runs a clean-up before a primary object is deleted. The controller
   * adds the finalizer before the first reconcile. While the object is being deleted, the
   * controller calls the clean-up instead of the reconciler. When the clean-up returns {@link
   * dev.windlass.controller.reconcile.Result#done()}, the controller removes the finalizer. If
   * there are several finalizers, the controller adds and runs them in the order of their
   * registration.
   *
   * @param name the finalizer's name, such as {@code example.com/bucket}
   * @param cleanUp an idempotent action. The finalizer remains if the action throws an exception or
   *     returns a result other than {@code Result.done()}. After an exception, the action is
   *     retried even if {@link #onError} or {@link #errorPolicy} returns {@code Result.done()} or
   *     throws a {@code TerminalException}; they can only set the delay. If the action itself
   *     throws a {@code TerminalException}, the next event or {@link #resync} leads to the next
   *     attempt
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

  /** Sets the reconciler. It receives the object's key; see also {@link #objectReconciler}. */
  public ControllerBuilder<T> reconciler(Reconciler other) {
    settings.reconciler.ofRequests(given(other, "reconciler").orElse(null));
    return this;
  }

  /** Sets the reconciler. It receives the object instead of the key; see {@link #reconciler}. */
  public ControllerBuilder<T> objectReconciler(ObjectReconciler<? super T> other) {
    settings.reconciler.ofObjects(given(other, "objectReconciler").orElse(null));
    return this;
  }

  /**
   * Creates the controller and adds it to the manager. The controller starts together with the
   * manager, or immediately if the manager is already running.
   *
   * @throws IllegalStateException if a setting is missing or contradicts another one; the message
   *     explains how to correct it
   */
  public Controller register(Manager manager) {
    MetricsListener metrics =
        new MetricsListener(
            Optional.of(manager.meterRegistry()), settings.listener, settings.queueListener);
    return settings.register(
        manager,
        metrics,
        metrics,
        (config, permissions) -> new Controller(config, metrics, permissions));
  }

  private ControllerBuilder<T> set(String call, Consumer<ControllerOptions> change) {
    try {
      settings.options = settings.options.with(change);
    } catch (IllegalArgumentException e) {
      errors.cantUse(call, e);
    }
    return this;
  }

  private <V> ControllerBuilder<T> set(
      String call, V value, BiConsumer<ControllerOptions, V> change) {
    return given(value, call).isEmpty()
        ? this
        : set(call, options -> change.accept(options, value));
  }

  private <V> Optional<V> given(@Nullable V value, String call) {
    return errors.given(value, call);
  }
}
