// SPDX-License-Identifier: Apache-2.0
package dev.windlass.controller;

import dev.windlass.controller.enqueue.EventHandler;
import dev.windlass.controller.enqueue.Predicate;
import dev.windlass.controller.enqueue.Source;
import dev.windlass.controller.reconcile.Reconciler;
import dev.windlass.controller.reconcile.Request;
import dev.windlass.informer.InformerOptions;
import dev.windlass.informer.SharedIndexInformer;
import dev.windlass.informer.SharedInformerFactory;
import dev.windlass.manager.Manager;
import dev.windlass.object.ResourceType;
import dev.windlass.workqueue.RateLimiter;
import dev.windlass.workqueue.WorkQueueOptions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.random.RandomGenerator;
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

  /** How often every object is reconciled without a reason: 10 h (controller-runtime). */
  static final Duration RESYNC = Duration.ofHours(10);

  /** By how much resyncs are spread, so that replicas and types do not do it together. */
  private static final double RESYNC_SPREAD = 0.1;

  /** Makes a source when the manager, and so the informers, are known. */
  private interface Watch {
    Source on(SharedInformerFactory informers, Duration resync);
  }

  private final Class<T> primary;
  private final List<Watch> watches = new ArrayList<>();
  private final List<Predicate<? super HasMetadata>> filters = new ArrayList<>();
  private @Nullable String name;
  private @Nullable Reconciler reconciler;
  private @Nullable Duration resync;
  private int watchedTypes;
  private int maxConcurrentReconciles = 1;
  private RateLimiter<Request> rateLimiter = RateLimiter.exponential();
  private ControllerListener listener = ControllerListener.NONE;

  private ControllerBuilder(Class<T> primary, List<Predicate<? super T>> predicates) {
    this.primary = primary;
    watch(primary, informers -> EventHandler.self(), predicates);
  }

  /**
   * A controller of the objects of a type, each of which is reconciled when it changes.
   *
   * @param predicates which changes matter; all of them must agree
   */
  @SafeVarargs
  @SuppressWarnings("varargs") // the array is only read
  public static <T extends HasMetadata> ControllerBuilder<T> forType(
      Class<T> primary, Predicate<? super T>... predicates) {
    return new ControllerBuilder<>(primary, List.of(predicates));
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
    ResourceType ownerType = ResourceType.of(primary);
    return watch(
        owned,
        informers -> EventHandler.owner(ownerType, informers.informer(primary).indexer()),
        List.of(predicates));
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
    return watch(watched, informers -> handler, List.of(predicates));
  }

  /** Reconciles what a source of any kind asks for. Event filters do not apply to it. */
  public ControllerBuilder<T> watches(Source source) {
    watches.add((informers, period) -> source);
    return this;
  }

  /** Lets only those events through, of all watched types, that the predicate does. Adds up. */
  public ControllerBuilder<T> withEventFilter(Predicate<? super HasMetadata> predicate) {
    filters.add(predicate);
    return this;
  }

  /** Names the controller; by default it is the kind of the primary type in lower case. */
  public ControllerBuilder<T> named(String other) {
    name = other;
    return this;
  }

  /** How many objects may be reconciled at the same time; 1 by default (controller-runtime). */
  public ControllerBuilder<T> maxConcurrentReconciles(int number) {
    maxConcurrentReconciles = number;
    return this;
  }

  /**
   * How often every object is reconciled without a reason; zero for never. 10 h, ±10 %, if unset.
   */
  public ControllerBuilder<T> resync(Duration period) {
    resync = period;
    return this;
  }

  /** Decides how long a failed request waits; {@link RateLimiter#exponential()} by default. */
  public ControllerBuilder<T> rateLimiter(RateLimiter<Request> other) {
    rateLimiter = other;
    return this;
  }

  /** Hears how reconciles end. */
  public ControllerBuilder<T> listener(ControllerListener other) {
    listener = other;
    return this;
  }

  /** The reconciler. */
  public ControllerBuilder<T> reconciler(Reconciler other) {
    reconciler = other;
    return this;
  }

  /**
   * Makes the controller and hands it to the manager, which starts it when it starts itself, or at
   * once if it runs.
   *
   * @throws IllegalStateException if something is missing or does not fit, saying what to do
   */
  public Controller register(Manager manager) {
    if (reconciler == null) {
      throw misuse("has no reconciler: call reconciler(...)");
    }
    if (maxConcurrentReconciles < 1) {
      throw misuse("needs at least one worker, not " + maxConcurrentReconciles);
    }
    if (name != null && name.isBlank()) {
      throw misuse("has a blank name: call named(...) with the name for logs, metrics and threads");
    }
    if (resync != null && resync.isNegative()) {
      throw misuse("can't resync every " + resync + ": use Duration.ZERO for never");
    }
    if (filters.contains(Predicate.<HasMetadata>generationChanged()) && watchedTypes > 1) {
      throw misuse(
          "filters the events of every type by Predicate.generationChanged(), which would hide the"
              + " status of what it owns: give it to forType(type, predicate) instead");
    }
    String kind = ResourceType.of(primary).kind();
    String chosen = name == null ? kind.toLowerCase(Locale.ROOT) : name;
    InformerOptions options = manager.informerOptions();
    Duration period = resync == null ? spread(RESYNC, options.random()) : resync;
    List<Source> sources =
        watches.stream().map(watch -> watch.on(manager.informers(), period)).toList();
    Controller controller =
        new Controller(
            new ControllerConfig(
                chosen,
                kind,
                sources,
                reconciler,
                ControllerOptions.defaults().withMaxConcurrentReconciles(maxConcurrentReconciles),
                WorkQueueOptions.<Request>named(chosen)
                    .withRateLimiter(rateLimiter)
                    .withScheduler(options.scheduler()),
                listener,
                ObjectStates.NONE,
                failure -> {},
                options.scheduler(),
                options.threads(),
                options.random()));
    manager.add(controller);
    return controller;
  }

  private <S extends HasMetadata> ControllerBuilder<T> watch(
      Class<S> type,
      Function<SharedInformerFactory, EventHandler<S>> handler,
      List<Predicate<? super S>> predicates) {
    watchedTypes++;
    watches.add(
        (informers, period) -> {
          SharedIndexInformer<S> informer = informers.informer(type);
          Predicate<S> all = Predicate.always();
          for (Predicate<? super S> predicate : predicates) {
            all = all.and(predicate);
          }
          for (Predicate<? super HasMetadata> filter : filters) {
            all = all.and(filter);
          }
          return Source.informer(informer, all, handler.apply(informers), period, informers::start);
        });
    return this;
  }

  private static Duration spread(Duration period, RandomGenerator random) {
    double factor = 1 - RESYNC_SPREAD + 2 * RESYNC_SPREAD * random.nextDouble();
    return Duration.ofNanos((long) (period.toNanos() * factor));
  }

  private IllegalStateException misuse(String what) {
    return new IllegalStateException("the controller of " + primary.getSimpleName() + " " + what);
  }
}
