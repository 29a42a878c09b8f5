// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.EventChannel;
import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.EventPredicate;
import dev.windlass.controller.enqueue.ReconcileAll;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.ObjectReconciler;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerSpec;
import dev.windlass.informer.index.Indexer;
import dev.windlass.manager.LeaderGroup;
import dev.windlass.manager.Manager;
import dev.windlass.object.ObjectKey;
import dev.windlass.object.ResourceType;
import dev.windlass.rbac.Verb;
import dev.windlass.workqueue.GiveUp;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueListener;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
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

  private final Registration<T> told = new Registration<>();
  private final Misuses misuses = told.misuses;

  private ControllerBuilder() {}

  /**
   * A controller of the objects of a type, each of which is reconciled when it changes.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      Class<T> primary, EventPredicate<? super T>... predicates) {
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
      InformerSpec<T> primary, EventPredicate<? super T>... predicates) {
    ControllerBuilder<T> builder = new ControllerBuilder<>();
    return builder.ofPrimary(builder.given(primary, "forType"), predicates);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  private ControllerBuilder<T> ofPrimary(
      Optional<InformerSpec<T>> spec, EventPredicate<? super T>... predicates) {
    told.primary = spec.map(InformerSpec::type).orElse(null);
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
      Class<S> owned, EventPredicate<? super S>... predicates) {
    return own(misuses.spec(owned, "owns"), EventHandler::owner, predicates, "owns");
  }

  /** As {@link #owns(Class, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> owns(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
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
      Class<S> owned, EventPredicate<? super S>... predicates) {
    return own(misuses.spec(owned, "ownsEvery"), EventHandler::everyOwner, predicates, "ownsEvery");
  }

  /** As {@link #ownsEvery(Class, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> ownsEvery(
      InformerSpec<S> owned, EventPredicate<? super S>... predicates) {
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
      Class<S> watched, EventHandler<S> handler, EventPredicate<? super S>... predicates) {
    return watch(
        given(handler, "watches").flatMap(present -> misuses.spec(watched, "watches")),
        false,
        primaries -> handler,
        predicates,
        "watches");
  }

  /** As {@link #watches(Class, EventHandler, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      InformerSpec<S> watched, EventHandler<S> handler, EventPredicate<? super S>... predicates) {
    return watch(
        given(handler, "watches").flatMap(present -> given(watched, "watches")),
        false,
        primaries -> handler,
        predicates,
        "watches");
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
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watchesReferenced(
      Class<S> referenced,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>... predicates) {
    return watchReferenced(misuses.spec(referenced, "watchesReferenced"), keysOf, predicates);
  }

  /** As {@link #watchesReferenced(Class, Function, EventPredicate[])}, of the objects of a spec. */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watchesReferenced(
      InformerSpec<S> referenced,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>... predicates) {
    return watchReferenced(given(referenced, "watchesReferenced"), keysOf, predicates);
  }

  /**
   * Reconciles what the handler says when an object is sent.
   *
   * @param predicates which of them matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public final <S extends HasMetadata> ControllerBuilder<T> watches(
      EventChannel<S> channel, EventHandler<S> handler, EventPredicate<? super S>... predicates) {
    List<EventPredicate<? super S>> own = misuses.allGiven(predicates, "watches");
    if (given(channel, "watches").isPresent() && given(handler, "watches").isPresent()) {
      told.watches.add(
          channel, (filters, primaries) -> channel.to(handler, Watches.allOf(own, filters)));
    }
    return this;
  }

  /** Reconciles what a source of any kind asks for. Event filters do not apply to it. */
  public ControllerBuilder<T> watches(Source source) {
    given(source, "watches")
        .ifPresent(present -> told.watches.add(present, (filters, primaries) -> present));
    return this;
  }

  /** Reconciles every object of the primary type whenever it is triggered. */
  public ControllerBuilder<T> watches(ReconcileAll trigger) {
    given(trigger, "watches")
        .ifPresent(all -> told.watches.add(all, (filters, primaries) -> all.over(primaries)));
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
   * the manager is restricted to.
   */
  public ControllerBuilder<T> inNamespaces(String... namespaces) {
    told.watches.addNamespaces(misuses.allGiven(namespaces, "inNamespaces"));
    return this;
  }

  /** Names the controller; by default it is the kind of the primary type in lower case. */
  public ControllerBuilder<T> named(String other) {
    told.name = given(other, "named").orElse(null);
    return this;
  }

  /** How many objects may be reconciled at the same time; 1 by default (controller-runtime). */
  public ControllerBuilder<T> maxConcurrentReconciles(int number) {
    if (number < 1) {
      misuses.add("needs at least one worker, not " + number);
    } else {
      told.workers = number;
    }
    return this;
  }

  /**
   * Sets all settings that have defaults. What {@link #maxConcurrentReconciles} was given holds all
   * the same, in whichever order they are called; {@link #register} refuses two different numbers.
   */
  public ControllerBuilder<T> options(ControllerOptions other) {
    told.options = given(other, "options").orElse(told.options);
    return this;
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
   * Whether it runs on the leader only, if a leader is elected; true by default. The writes of one
   * that does not are not fenced.
   */
  public ControllerBuilder<T> needLeaderElection(boolean needed) {
    told.needsLeader = needed;
    return this;
  }

  /** Runs when this group leads. Its reconciles write fenced by the lease of the group. */
  public ControllerBuilder<T> leaderElection(LeaderGroup other) {
    told.group = given(other, "leaderElection").orElse(null);
    return this;
  }

  /**
   * Sets whether caches fill on a replica that does not lead yet, so that it takes over at once;
   * true by default (controller-runtime: {@code EnableWarmup}, false). The queue stays empty until
   * the replica leads.
   */
  public ControllerBuilder<T> warmUp(boolean warm) {
    told.warmUp = warm;
    return this;
  }

  /**
   * Says what else the reconciler does with objects of a type, where this controller is at home,
   * for {@link Manager#rbac()}. Reading what is watched, and writing what is owned, need no word;
   * with a verb that writes, of a type that is owned, what is said stands in place of all writes.
   */
  public ControllerBuilder<T> uses(Class<? extends HasMetadata> type, Verb... verbs) {
    given(type, "uses")
        .ifPresent(used -> told.needs.use(used, misuses.allGiven(verbs, "uses"), misuses));
    return this;
  }

  /**
   * Whether the status of the primary type is written; by default if its class is a custom resource
   * with a status. For {@link Manager#rbac()}.
   */
  public ControllerBuilder<T> usesStatus(boolean written) {
    told.needs.status(written);
    return this;
  }

  /**
   * The reconciler adds and removes finalizers of the primary type ({@link
   * dev.windlass.client.owned.Finalizers}). For {@link Manager#rbac()}.
   */
  public ControllerBuilder<T> usesFinalizers() {
    told.needs.finalizers();
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
    return told.register(manager);
  }

  private <S extends HasMetadata> ControllerBuilder<T> watchReferenced(
      Optional<InformerSpec<S>> spec,
      Function<? super T, ? extends Collection<ObjectKey>> keysOf,
      EventPredicate<? super S>[] predicates) {
    if (spec.isPresent() && given(keysOf, "watchesReferenced").isPresent()) {
      References<T> found = new References<>(spec.get().type(), keysOf);
      told.references.add(found);
      watch(spec, false, found::handler, predicates, "watchesReferenced");
    }
    return this;
  }

  /** How {@link EventHandler} finds the owners of an object. */
  private interface OwnersOf<S> {
    EventHandler<S> handler(ResourceType ownerType, Supplier<? extends Indexer<?>> owners);
  }

  private <S extends HasMetadata> ControllerBuilder<T> own(
      Optional<InformerSpec<S>> spec,
      OwnersOf<S> owners,
      EventPredicate<? super S>[] predicates,
      String call) {
    return watch(
        spec, true, primaries -> owners.handler(told.primaryType(), primaries), predicates, call);
  }

  private <S extends HasMetadata> ControllerBuilder<T> watch(
      Optional<InformerSpec<S>> spec,
      boolean owned,
      Watches.HandlerOf<S> handler,
      EventPredicate<? super S>[] predicates,
      String call) {
    List<EventPredicate<? super S>> all = misuses.allGiven(predicates, call);
    spec.ifPresent(type -> told.watches.add(new Watches.Watch<>(type, owned, handler, all)));
    return this;
  }

  private <V> Optional<V> given(@Nullable V value, String call) {
    return misuses.given(value, call);
  }
}
